"""Benchmarks of many clusters: the same applies by a plain loop, by Dask, by Spark and by Ray."""
