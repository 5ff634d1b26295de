"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AggregationRule': (
        ('clusterRoleSelectors', 9, 21, 'list', 'meta_v1.LabelSelector', None, None, 'atomic', None, 1),
    ),
    'ClusterRole': (
        ('aggregationRule', 9, 21, 'map', 'rbac_v1beta1.AggregationRule'),
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('rules', 7, 21, 'list', 'rbac_v1beta1.PolicyRule', None, None, 'atomic', None, 1),
    ),
    'ClusterRoleBinding': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('roleRef', 7, 21, 'map', 'rbac_v1beta1.RoleRef'),
        ('subjects', 7, 21, 'list', 'rbac_v1beta1.Subject', None, None, 'atomic', None, 1),
    ),
    'ClusterRoleBindingList': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('items', 7, 21, 'list', 'rbac_v1beta1.ClusterRoleBinding', None, None, 'atomic', None, 1),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'ClusterRoleList': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('items', 7, 21, 'list', 'rbac_v1beta1.ClusterRole', None, None, 'atomic', None, 1),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'PolicyRule': (
        ('apiGroups', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('nonResourceURLs', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('resourceNames', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 7, 21, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'Role': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('rules', 7, 21, 'list', 'rbac_v1beta1.PolicyRule', None, None, 'atomic', None, 1),
    ),
    'RoleBinding': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('roleRef', 7, 21, 'map', 'rbac_v1beta1.RoleRef'),
        ('subjects', 7, 21, 'list', 'rbac_v1beta1.Subject', None, None, 'atomic', None, 1),
    ),
    'RoleBindingList': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('items', 7, 21, 'list', 'rbac_v1beta1.RoleBinding', None, None, 'atomic', None, 1),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'RoleList': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('items', 7, 21, 'list', 'rbac_v1beta1.Role', None, None, 'atomic', None, 1),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'RoleRef': (
        ('apiGroup', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('name', 7, 21, 'primitive', 'string'),
    ),
    'Subject': (
        ('apiGroup', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('name', 7, 21, 'primitive', 'string'),
        ('namespace', 7, 21, 'primitive', 'string'),
    ),
}
