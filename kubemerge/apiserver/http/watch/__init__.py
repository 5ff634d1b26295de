"""Watches: the changes of the cluster, and the streams that tell clients of them."""
