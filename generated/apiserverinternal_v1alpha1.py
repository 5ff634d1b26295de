"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ServerStorageVersion': (
        ('apiServerID', 20, None, 'primitive', 'string'),
        ('decodableVersions', 20, None, 'list', 'string', None, None, 'set'),
        ('encodingVersion', 20, None, 'primitive', 'string'),
        ('servedVersions', 28, None, 'list', 'string', None, None, 'set'),
    ),
    'StorageVersion': (
        ('apiVersion', 20, None, 'primitive', 'string'),
        ('kind', 20, None, 'primitive', 'string'),
        ('metadata', 20, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 20, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('status', 20, None, 'map', 'apiserverinternal_v1alpha1.StorageVersionStatus'),
    ),
    'StorageVersionCondition': (
        ('lastTransitionTime', 20, None, 'primitive', 'string'),
        ('message', 20, None, 'primitive', 'string'),
        ('observedGeneration', 20, None, 'primitive', 'integer'),
        ('reason', 20, None, 'primitive', 'string'),
        ('status', 20, None, 'primitive', 'string'),
        ('type', 20, None, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'StorageVersionList': (
        ('apiVersion', 20, None, 'primitive', 'string'),
        ('items', 20, None, 'list', 'apiserverinternal_v1alpha1.StorageVersion', None, None, 'atomic', None, 1),
        ('kind', 20, None, 'primitive', 'string'),
        ('metadata', 20, None, 'map', 'meta_v1.ListMeta'),
    ),
    'StorageVersionSpec': (
        ('', 20, None, 'map', None, None, None, None, None, None, None, None, 1),
    ),
    'StorageVersionStatus': (
        ('commonEncodingVersion', 20, None, 'primitive', 'string'),
        ('conditions', 20, None, 'list', 'apiserverinternal_v1alpha1.StorageVersionCondition', None, None, 'map', ('type',)),
        ('storageVersions', 20, None, 'list', 'apiserverinternal_v1alpha1.ServerStorageVersion', None, None, 'map', ('apiServerID',)),
    ),
}
