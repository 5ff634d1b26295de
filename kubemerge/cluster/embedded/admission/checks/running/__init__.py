"""What the API does not allow in the spec of a pod, wherever it stands: one module for each part of it."""
