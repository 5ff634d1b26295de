"""The objects of many clusters at once: read from dumps in parts, looked at by the functions of the other rooms, and
written as rows. `partitions` has the functions, which any engine can run; `running` runs them on Dask, in processes
`apart` from the workers.

What is imported beyond the standard library comes with the extra `fleet`.
"""
