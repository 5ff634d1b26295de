"""Admission policies: ValidatingAdmissionPolicy and MutatingAdmissionPolicy with their bindings.

Modules, in the order of a request: `source` (the bound policies of a cluster), `request` (the facts of a request),
`context` (the rest of the cluster), `admission` (the steps of a request), `matching` (match constraints), `params`
(parameters of bindings), `invocations` (policies with bindings and params), `compiled` (expressions), `evaluation`
(variables, costs), `validating` and `mutating` (decisions), `values`, `json_patch` and
`patches` (results of patch expressions).
"""
