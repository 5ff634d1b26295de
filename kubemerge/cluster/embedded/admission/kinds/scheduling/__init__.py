"""What scales, protects and places pods: autoscalers, disruption budgets, classes of priority and of runtimes."""
