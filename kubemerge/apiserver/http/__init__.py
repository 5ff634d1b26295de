"""The API server over HTTP, as an ASGI application: routing, verbs, watches, discovery, OpenAPI, protobuf.

A request goes through `asgi`, which reads it and sends the response, `routing`, which resolves its path, and a module
of `verbs`, which calls the cluster. Nothing here decides what is stored.
"""
