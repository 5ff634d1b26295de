"""Validation of metadata, Pods, and kinds in the core, apps and batch groups.

Each function yields the problems of one object. Other groups are in `registry`, custom resources in `crd`.

    validation        the order of all checks of an object
    pod_spec          the spec of Pods and Pod templates, one module for each part
    workloads, jobs   Pods, Deployments, ReplicaSets, DaemonSets, StatefulSets; Jobs and CronJobs
    updates           changes of immutable fields
    declarative       rules that upstream declares on Go types, from `generated/*_rules.py`
    values            ranges and formats of ports, addresses, quantities, percentages
"""
