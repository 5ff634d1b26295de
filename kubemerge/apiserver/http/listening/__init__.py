"""A server on a socket: where it listens, its certificate, and the kubeconfig by which clients find it."""
