"""Server-side printing: columns and cells of a Table for each kind, and JSONPath for custom resources.

Output formats of commands (`-o wide`, `describe`) are in `kubemerge.printers`.
"""
