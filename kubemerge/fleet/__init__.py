"""Objects of many clusters: read from dumps in parts, checked, and written as rows.

    works        the functions for one object, one for each command
    partitions   these functions on Arrow record batches, for any engine
    reading      dumps: finding, splitting and parsing them
    apart        the process that checks objects, and its supervision
    cluster      the Dask processes; `running` runs parts on them, `whole` a complete run
    results      the folder of results, also used for restarts; `gaps` reports missing data
    overview     the content of the HTML page, with the rows of `sampling`

Imports beyond the standard library come with the extra `fleet`.
"""
