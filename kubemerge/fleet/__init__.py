"""Objects of many clusters: read from dumps in parts, checked, and written as rows.

    checks          the checks of one object, one for each command
    partitions      these checks on Arrow record batches, for any engine
    reading         dumps: finding, splitting and parsing them
    child_process   the process that checks objects, and its supervisor
    cluster         the Dask processes
    workers         runs a check over parts of the dumps on these processes
    run             a complete run
    results         the folder of results, also used for restarts
    missing         objects of the config that are missing in clusters
    gaps            reports of missing data
    overview        the content of the HTML page, with the rows of `sampling`

Imports beyond the standard library come with the extra `fleet`.
"""
