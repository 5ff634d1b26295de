"""Server-side printing: the columns and cells of a Table for each kind, and JSONPath for those of custom resources.

Formats of the command line (`-o wide`, `describe`) are in `kubemerge.printers`.
"""
