"""Protobuf bodies, compared with Kubernetes' own Go code."""
