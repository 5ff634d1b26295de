"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Overhead': (
        ('podFixed', 16, 23, 'map', 'quantity', None, None, None, None, None, None, None, 1),
    ),
    'RuntimeClass': (
        ('apiVersion', 14, 23, 'primitive', 'string'),
        ('kind', 14, 23, 'primitive', 'string'),
        ('metadata', 14, 23, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 14, 23, 'map', 'node_v1alpha1.RuntimeClassSpec'),
    ),
    'RuntimeClassList': (
        ('apiVersion', 14, 23, 'primitive', 'string'),
        ('items', 14, 23, 'list', 'node_v1alpha1.RuntimeClass', None, None, 'atomic', None, 1),
        ('kind', 14, 23, 'primitive', 'string'),
        ('metadata', 14, 23, 'map', 'meta_v1.ListMeta'),
    ),
    'RuntimeClassSpec': (
        ('overhead', 16, 23, 'map', 'node_v1alpha1.Overhead'),
        ('runtimeHandler', 14, 23, 'primitive', 'string'),
        ('scheduling', 16, 23, 'map', 'node_v1alpha1.Scheduling'),
    ),
    'Scheduling': (
        ('nodeSelector', 16, 21, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('nodeSelector', 22, 23, 'map', 'string', None, None, None, None, None, 'atomic', None, 1),
        ('tolerations', 16, 23, 'list', 'core_v1.Toleration', None, None, 'atomic'),
    ),
}
