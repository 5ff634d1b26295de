"""Declared validation: upstream's tags in Go source as snapshots, and those as rows with eras.

What a rule means belongs to the API server of `kubemerge`; here are only facts and their order.
"""
