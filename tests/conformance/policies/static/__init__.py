"""Static manifests: folders that a real API server reads, with its errors and its responses to requests."""
