"""A server on a socket: address, certificate and kubeconfig."""
