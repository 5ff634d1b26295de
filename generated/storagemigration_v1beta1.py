"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'StorageVersionMigration': (
        ('apiVersion', 35, None, 'primitive', 'string'),
        ('kind', 35, None, 'primitive', 'string'),
        ('metadata', 35, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 35, None, 'map', 'storagemigration_v1beta1.StorageVersionMigrationSpec'),
        ('status', 35, None, 'map', 'storagemigration_v1beta1.StorageVersionMigrationStatus'),
    ),
    'StorageVersionMigrationList': (
        ('apiVersion', 35, None, 'primitive', 'string'),
        ('items', 35, None, 'list', 'storagemigration_v1beta1.StorageVersionMigration', None, None, 'atomic', None, 1),
        ('kind', 35, None, 'primitive', 'string'),
        ('metadata', 35, None, 'map', 'meta_v1.ListMeta'),
    ),
    'StorageVersionMigrationSpec': (
        ('resource', 35, None, 'map', 'meta_v1.GroupResource'),
    ),
    'StorageVersionMigrationStatus': (
        ('conditions', 35, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('resourceVersion', 35, None, 'primitive', 'string'),
    ),
}
