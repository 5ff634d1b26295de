"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AggregationRule': (
        ('clusterRoleSelectors', 9, 22, 'list', 'meta_v1.LabelSelector', None, None, 'atomic', None, 1),
    ),
    'ClusterRole': (
        ('aggregationRule', 9, 22, 'map', 'rbac_v1alpha1.AggregationRule'),
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ObjectMeta'),
        ('rules', 7, 22, 'list', 'rbac_v1alpha1.PolicyRule', None, None, 'atomic', None, 1),
    ),
    'ClusterRoleBinding': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ObjectMeta'),
        ('roleRef', 7, 22, 'map', 'rbac_v1alpha1.RoleRef'),
        ('subjects', 7, 22, 'list', 'rbac_v1alpha1.Subject', None, None, 'atomic', None, 1),
    ),
    'ClusterRoleBindingList': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('items', 7, 22, 'list', 'rbac_v1alpha1.ClusterRoleBinding', None, None, 'atomic', None, 1),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ListMeta'),
    ),
    'ClusterRoleList': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('items', 7, 22, 'list', 'rbac_v1alpha1.ClusterRole', None, None, 'atomic', None, 1),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ListMeta'),
    ),
    'PolicyRule': (
        ('apiGroups', 7, 22, 'list', 'string', None, None, 'atomic', None, 1),
        ('nonResourceURLs', 7, 22, 'list', 'string', None, None, 'atomic', None, 1),
        ('resourceNames', 7, 22, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 7, 22, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 7, 22, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'Role': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ObjectMeta'),
        ('rules', 7, 22, 'list', 'rbac_v1alpha1.PolicyRule', None, None, 'atomic', None, 1),
    ),
    'RoleBinding': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ObjectMeta'),
        ('roleRef', 7, 22, 'map', 'rbac_v1alpha1.RoleRef'),
        ('subjects', 7, 22, 'list', 'rbac_v1alpha1.Subject', None, None, 'atomic', None, 1),
    ),
    'RoleBindingList': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('items', 7, 22, 'list', 'rbac_v1alpha1.RoleBinding', None, None, 'atomic', None, 1),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ListMeta'),
    ),
    'RoleList': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('items', 7, 22, 'list', 'rbac_v1alpha1.Role', None, None, 'atomic', None, 1),
        ('kind', 7, 22, 'primitive', 'string'),
        ('metadata', 7, 22, 'map', 'meta_v1.ListMeta'),
    ),
    'RoleRef': (
        ('apiGroup', 7, 22, 'primitive', 'string'),
        ('kind', 7, 22, 'primitive', 'string'),
        ('name', 7, 22, 'primitive', 'string'),
    ),
    'Subject': (
        ('apiVersion', 7, 22, 'primitive', 'string'),
        ('kind', 7, 22, 'primitive', 'string'),
        ('name', 7, 22, 'primitive', 'string'),
        ('namespace', 7, 22, 'primitive', 'string'),
    ),
}
