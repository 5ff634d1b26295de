"""A real API server as a cluster: who reaches it (`kubeconfig`, `credentials`), how (`transport`), and what it serves."""
