"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'PriorityClass': (
        ('apiVersion', 14, None, 'primitive', 'string'),
        ('description', 14, None, 'primitive', 'string'),
        ('globalDefault', 14, None, 'primitive', 'boolean'),
        ('kind', 14, None, 'primitive', 'string'),
        ('metadata', 14, None, 'map', 'meta_v1.ObjectMeta'),
        ('preemptionPolicy', 15, None, 'primitive', 'string'),
        ('value', 14, None, 'primitive', 'integer'),
    ),
    'PriorityClassList': (
        ('apiVersion', 14, None, 'primitive', 'string'),
        ('items', 14, None, 'list', 'scheduling_v1.PriorityClass', None, None, 'atomic', None, 1),
        ('kind', 14, None, 'primitive', 'string'),
        ('metadata', 14, None, 'map', 'meta_v1.ListMeta'),
    ),
}
