"""A real API server as a cluster.

`kubeconfig` says which server is meant, `credentials` who asks, `transport` how; `statuses` reads its refusals,
`discovery` and `rules` what it serves and how that merges; `cluster` puts it together.
"""
