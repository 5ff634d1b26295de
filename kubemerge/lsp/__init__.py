"""The language server for manifests. Everything that it reports comes from lint, the merge tables and the API server.

    start          the answer to `initialize`, before the libraries of the extra are loaded
    capabilities   the methods that the server has
    server         the methods, on pygls
    sessions       the open documents, and the thread that lints them
    text           a document as text, with the positions of the protocol
    documents      its YAML documents
    outline        the field at a position in any text, also in a broken one
    parsed         the field at a position, by the events of the YAML parser
    places         the object and the field at a position, by one of these
    repository     settings, schemas, policies and CustomResourceDefinitions of the workspace
    checking       diagnostics
    fields         the type, the values and the defaults of a field
    hovers, completions, actions, definitions, links
    live           live objects from a file or a cluster, read-only

Only `server` imports the libraries of the extra. The other modules return the data of `model`.
"""
