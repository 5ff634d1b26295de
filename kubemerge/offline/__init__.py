"""What is done with files alone, or with files beside a cluster that is only read: merge, patch, overlay, pairs.

Changes of a cluster are in `actions`.
"""
