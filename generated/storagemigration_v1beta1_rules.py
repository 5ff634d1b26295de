"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'StorageVersionMigration': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('status', 37, None, None, 'type', 'storagemigration_v1beta1.StorageVersionMigrationStatus'),
    ),
    'StorageVersionMigrationStatus': (
        ('conditions', 37, None, None, 'type', '[]meta_v1.Condition'),
        ('conditions', 37, None, None, 'optional'),
        ('conditions', 37, None, None, 'listType', 'map'),
        ('conditions', 37, None, None, 'listMapKey', 'type'),
    ),
}
