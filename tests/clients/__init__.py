"""kubectl, client libraries and controllers against a served cluster.

`python -m pytest -m slow tests/clients` runs them. kubectl and kube-controller-manager come from the folder
KUBEMERGE_REAL_API, otherwise from the path. Everything else is downloaded.
"""
