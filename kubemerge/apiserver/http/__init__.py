"""The API server over HTTP, as an ASGI application: routing, verbs, watches, discovery, OpenAPI, protobuf.

`asgi` reads a request and sends the response, `routing` resolves its path, and a module of `verbs` calls the cluster.
Nothing here decides about stored objects.
"""
