"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Lease': (
        ('apiVersion', 12, 21, 'primitive', 'string'),
        ('kind', 12, 21, 'primitive', 'string'),
        ('metadata', 12, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 12, 21, 'map', 'coordination_v1beta1.LeaseSpec'),
    ),
    'LeaseCandidate': (
        ('apiVersion', 33, None, 'primitive', 'string'),
        ('kind', 33, None, 'primitive', 'string'),
        ('metadata', 33, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 33, None, 'map', 'coordination_v1beta1.LeaseCandidateSpec'),
    ),
    'LeaseCandidateList': (
        ('apiVersion', 33, None, 'primitive', 'string'),
        ('items', 33, None, 'list', 'coordination_v1beta1.LeaseCandidate', None, None, 'atomic', None, 1),
        ('kind', 33, None, 'primitive', 'string'),
        ('metadata', 33, None, 'map', 'meta_v1.ListMeta'),
    ),
    'LeaseCandidateSpec': (
        ('binaryVersion', 33, None, 'primitive', 'string'),
        ('emulationVersion', 33, None, 'primitive', 'string'),
        ('leaseName', 33, None, 'primitive', 'string'),
        ('pingTime', 33, None, 'primitive', 'string'),
        ('renewTime', 33, None, 'primitive', 'string'),
        ('strategy', 33, None, 'primitive', 'string'),
    ),
    'LeaseList': (
        ('apiVersion', 12, 21, 'primitive', 'string'),
        ('items', 12, 21, 'list', 'coordination_v1beta1.Lease', None, None, 'atomic', None, 1),
        ('kind', 12, 21, 'primitive', 'string'),
        ('metadata', 12, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'LeaseSpec': (
        ('acquireTime', 12, 21, 'primitive', 'string'),
        ('holderIdentity', 12, 21, 'primitive', 'string'),
        ('leaseDurationSeconds', 12, 21, 'primitive', 'integer'),
        ('leaseTransitions', 12, 21, 'primitive', 'integer'),
        ('renewTime', 12, 21, 'primitive', 'string'),
    ),
}
