"""Where specifications come from: files, addresses, clusters and packages.

These modules get the bytes; `documents` reads them, and `specs` knows what they contain.
"""
