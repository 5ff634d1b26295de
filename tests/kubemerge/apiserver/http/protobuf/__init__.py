"""Bodies in protobuf, compared with what Kubernetes' own Go code makes of them."""
