"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Lease': (
        ('apiVersion', 14, None, 'primitive', 'string'),
        ('kind', 14, None, 'primitive', 'string'),
        ('metadata', 14, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 14, None, 'map', 'coordination_v1.LeaseSpec'),
    ),
    'LeaseList': (
        ('apiVersion', 14, None, 'primitive', 'string'),
        ('items', 14, None, 'list', 'coordination_v1.Lease', None, None, 'atomic', None, 1),
        ('kind', 14, None, 'primitive', 'string'),
        ('metadata', 14, None, 'map', 'meta_v1.ListMeta'),
    ),
    'LeaseSpec': (
        ('acquireTime', 14, None, 'primitive', 'string'),
        ('holderIdentity', 14, None, 'primitive', 'string'),
        ('leaseDurationSeconds', 14, None, 'primitive', 'integer'),
        ('leaseTransitions', 14, None, 'primitive', 'integer'),
        ('preferredHolder', 31, None, 'primitive', 'string'),
        ('renewTime', 14, None, 'primitive', 'string'),
        ('strategy', 31, None, 'primitive', 'string'),
    ),
}
