"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'GroupVersionResource': (
        ('group', 30, 34, 'primitive', 'string'),
        ('resource', 30, 34, 'primitive', 'string'),
        ('version', 30, 34, 'primitive', 'string'),
    ),
    'MigrationCondition': (
        ('lastUpdateTime', 30, 34, 'primitive', 'string'),
        ('message', 30, 34, 'primitive', 'string'),
        ('reason', 30, 34, 'primitive', 'string'),
        ('status', 30, 34, 'primitive', 'string'),
        ('type', 30, 34, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'StorageVersionMigration': (
        ('apiVersion', 30, 34, 'primitive', 'string'),
        ('kind', 30, 34, 'primitive', 'string'),
        ('metadata', 30, 34, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 30, 34, 'map', 'storagemigration_v1alpha1.StorageVersionMigrationSpec'),
        ('status', 30, 34, 'map', 'storagemigration_v1alpha1.StorageVersionMigrationStatus'),
    ),
    'StorageVersionMigrationList': (
        ('apiVersion', 30, 34, 'primitive', 'string'),
        ('items', 30, 34, 'list', 'storagemigration_v1alpha1.StorageVersionMigration', 'merge', 'type', 'map', ('type',)),
        ('kind', 30, 34, 'primitive', 'string'),
        ('metadata', 30, 34, 'map', 'meta_v1.ListMeta'),
    ),
    'StorageVersionMigrationSpec': (
        ('continueToken', 30, 34, 'primitive', 'string'),
        ('resource', 30, 34, 'map', 'storagemigration_v1alpha1.GroupVersionResource'),
    ),
    'StorageVersionMigrationStatus': (
        ('conditions', 30, 34, 'list', 'storagemigration_v1alpha1.MigrationCondition', 'merge', 'type', 'map', ('type',)),
        ('resourceVersion', 30, 34, 'primitive', 'string'),
    ),
}
