"""The gate: rejections, dropped fields and warnings of a server of some release, as lint findings.

    gate    each object against each release; findings of several releases are combined
    server  the call of the API server in Python: `Server.validate` calls `Server.check_create` of
            `kubemerge.apiserver.pipeline`
    rules   the lint rule for each result

An object is validated like a new one, without a cluster and without its live object. So changes of immutable fields
are no findings. `diff` and `merge` report them.
"""
