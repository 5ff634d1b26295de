"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'StorageVersionMigration': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'storagemigration_v1.StorageVersionMigrationSpec'),
        ('status', 37, None, 'map', 'storagemigration_v1.StorageVersionMigrationStatus'),
    ),
    'StorageVersionMigrationList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'storagemigration_v1.StorageVersionMigration', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'StorageVersionMigrationSpec': (
        ('resource', 37, None, 'map', 'meta_v1.GroupResource'),
    ),
    'StorageVersionMigrationStatus': (
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('resourceVersion', 37, None, 'primitive', 'string'),
    ),
}
