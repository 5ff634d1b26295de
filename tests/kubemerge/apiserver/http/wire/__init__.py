"""Requests to a real API server with recorded responses, repeated on a served cluster.

`asked/*.yaml` contains the exchanges: a name, and consecutive requests on a new cluster. `answered/*.json.gz` contains
the responses of a real server. `python -m tests.kubemerge.apiserver.http.wire.record` records them.
"""
