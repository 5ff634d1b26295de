"""Authorization of requests, as by kube-apiserver with `--authorization-mode=RBAC`.

    attributes      the attributes of a request, and the error for a denied one
    authorizer      `Authorizer.authorize(attributes)` returns a `Decision`; by default, everything is allowed
    rbac            the authorizer that decides by roles
    rules           policy rules: matching, coverage, and the text of missing permissions
    role_index      Roles, ClusterRoles and their bindings by subject
    escalation      checks of writes: nobody grants permissions that they do not hold
    bootstrap       the objects that a server creates at its start, from the table `bootstrap.txt`
    permissions     the permissions that requests used, as Roles and ClusterRoles

HTTP is in `http/access.py`: it authenticates, impersonates and authorizes a request.
"""
