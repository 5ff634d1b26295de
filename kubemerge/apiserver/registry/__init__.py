"""The strategy of each built-in kind, as in upstream's `pkg/registry`: a record with its defaults, checks and warnings.

`table.find` returns the record of a kind. The modules contain the validation of their kinds, except for the core, apps
and batch groups, whose records refer to `validation` (Pods: `validation/pod_spec`).
"""
