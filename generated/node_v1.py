"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Overhead': (
        ('podFixed', 20, None, 'map', 'quantity', None, None, None, None, None, None, None, 1),
    ),
    'RuntimeClass': (
        ('apiVersion', 20, None, 'primitive', 'string'),
        ('handler', 20, None, 'primitive', 'string'),
        ('kind', 20, None, 'primitive', 'string'),
        ('metadata', 20, None, 'map', 'meta_v1.ObjectMeta'),
        ('overhead', 20, None, 'map', 'node_v1.Overhead'),
        ('scheduling', 20, None, 'map', 'node_v1.Scheduling'),
    ),
    'RuntimeClassList': (
        ('apiVersion', 20, None, 'primitive', 'string'),
        ('items', 20, None, 'list', 'node_v1.RuntimeClass', None, None, 'atomic', None, 1),
        ('kind', 20, None, 'primitive', 'string'),
        ('metadata', 20, None, 'map', 'meta_v1.ListMeta'),
    ),
    'Scheduling': (
        ('nodeSelector', 20, 21, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('nodeSelector', 22, None, 'map', 'string', None, None, None, None, None, 'atomic', None, 1),
        ('tolerations', 20, None, 'list', 'core_v1.Toleration', None, None, 'atomic'),
    ),
}
