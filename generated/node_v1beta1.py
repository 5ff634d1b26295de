"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Overhead': (
        ('podFixed', 16, 24, 'map', 'quantity', None, None, None, None, None, None, None, 1),
    ),
    'RuntimeClass': (
        ('apiVersion', 14, 24, 'primitive', 'string'),
        ('handler', 14, 24, 'primitive', 'string'),
        ('kind', 14, 24, 'primitive', 'string'),
        ('metadata', 14, 24, 'map', 'meta_v1.ObjectMeta'),
        ('overhead', 16, 24, 'map', 'node_v1beta1.Overhead'),
        ('scheduling', 16, 24, 'map', 'node_v1beta1.Scheduling'),
    ),
    'RuntimeClassList': (
        ('apiVersion', 14, 24, 'primitive', 'string'),
        ('items', 14, 24, 'list', 'node_v1beta1.RuntimeClass', None, None, 'atomic', None, 1),
        ('kind', 14, 24, 'primitive', 'string'),
        ('metadata', 14, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'Scheduling': (
        ('nodeSelector', 16, 21, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('nodeSelector', 22, 24, 'map', 'string', None, None, None, None, None, 'atomic', None, 1),
        ('tolerations', 16, 24, 'list', 'core_v1.Toleration', None, None, 'atomic'),
    ),
}
