"""Declared validation: upstream's tags in Go source, as snapshots and as rows with eras.

The meaning of a rule belongs to kubemerge's API server. Here are only facts and their order.
"""
