"""Requests to a real API server with its answers, recorded, and the same requests to a served cluster.

`asked/*.yaml` has the exchanges: a name, and requests one after another on a new cluster. `answered/*.json.gz` has what
a real server answered. `python -m tests.kubemerge.apiserver.http.wire.record` asks it again.
"""
