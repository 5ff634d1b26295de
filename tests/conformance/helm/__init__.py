"""`kubemerge plan --as helm` and Helm itself, on scenarios with foreign writers."""
