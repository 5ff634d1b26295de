"""Static manifests: policies and webhooks from folders, which no request can change.

`documents` reads the files of a folder, `loading` checks their objects, and `folders` loads them again after a change.
"""
