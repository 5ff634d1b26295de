"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'RawExtension': (
        ('', 7, 15, 'map', None, None, None, None, None, None, 'atomic'),
        ('', 16, None, 'map', None, None, None, None, None, None, 'atomic', None, 1),
        ('Raw', 7, 15, 'primitive', 'string'),
    ),
}
