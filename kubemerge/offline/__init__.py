"""Work on files, alone or with a cluster that is only read: merge, patch, overlay, pairs.

Changes of a cluster are in `actions`.
"""
