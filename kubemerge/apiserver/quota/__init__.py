"""ResourceQuota: the usage of objects, admission of requests, and the status of quotas.

`evaluators` has the resources of each kind, `admission` checks and charges a request, `status` counts existing objects.
"""
