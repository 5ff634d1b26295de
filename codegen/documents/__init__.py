"""Bytes to documents, YAML or JSON, within limits; kubemerge reads manifests with it too."""
