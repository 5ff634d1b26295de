"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AggregationRule': (
        ('clusterRoleSelectors', 9, 29, 'list', 'meta_v1.LabelSelector', None, None, 'atomic', None, 1),
        ('clusterRoleSelectors', 30, None, 'list', 'meta_v1.LabelSelector', None, None, 'atomic'),
    ),
    'ClusterRole': (
        ('aggregationRule', 9, None, 'map', 'rbac_v1.AggregationRule'),
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ObjectMeta'),
        ('rules', 8, 29, 'list', 'rbac_v1.PolicyRule', None, None, 'atomic', None, 1),
        ('rules', 30, None, 'list', 'rbac_v1.PolicyRule', None, None, 'atomic'),
    ),
    'ClusterRoleBinding': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ObjectMeta'),
        ('roleRef', 8, None, 'map', 'rbac_v1.RoleRef'),
        ('subjects', 8, 29, 'list', 'rbac_v1.Subject', None, None, 'atomic', None, 1),
        ('subjects', 30, None, 'list', 'rbac_v1.Subject', None, None, 'atomic'),
    ),
    'ClusterRoleBindingList': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('items', 8, None, 'list', 'rbac_v1.ClusterRoleBinding', None, None, 'atomic', None, 1),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ListMeta'),
    ),
    'ClusterRoleList': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('items', 8, None, 'list', 'rbac_v1.ClusterRole', None, None, 'atomic', None, 1),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ListMeta'),
    ),
    'PolicyRule': (
        ('apiGroups', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('apiGroups', 30, None, 'list', 'string', None, None, 'atomic'),
        ('nonResourceURLs', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('nonResourceURLs', 30, None, 'list', 'string', None, None, 'atomic'),
        ('resourceNames', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('resourceNames', 30, None, 'list', 'string', None, None, 'atomic'),
        ('resources', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 30, None, 'list', 'string', None, None, 'atomic'),
        ('verbs', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 30, None, 'list', 'string', None, None, 'atomic'),
    ),
    'Role': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ObjectMeta'),
        ('rules', 8, 29, 'list', 'rbac_v1.PolicyRule', None, None, 'atomic', None, 1),
        ('rules', 30, None, 'list', 'rbac_v1.PolicyRule', None, None, 'atomic'),
    ),
    'RoleBinding': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ObjectMeta'),
        ('roleRef', 8, None, 'map', 'rbac_v1.RoleRef'),
        ('subjects', 8, 29, 'list', 'rbac_v1.Subject', None, None, 'atomic', None, 1),
        ('subjects', 30, None, 'list', 'rbac_v1.Subject', None, None, 'atomic'),
    ),
    'RoleBindingList': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('items', 8, None, 'list', 'rbac_v1.RoleBinding', None, None, 'atomic', None, 1),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ListMeta'),
    ),
    'RoleList': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('items', 8, None, 'list', 'rbac_v1.Role', None, None, 'atomic', None, 1),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ListMeta'),
    ),
    'RoleRef': (
        ('', 22, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('apiGroup', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('name', 8, None, 'primitive', 'string'),
    ),
    'Subject': (
        ('', 22, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('apiGroup', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('name', 8, None, 'primitive', 'string'),
        ('namespace', 8, None, 'primitive', 'string'),
    ),
}
