"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'LeaseCandidate': (
        ('apiVersion', 32, None, 'primitive', 'string'),
        ('kind', 32, None, 'primitive', 'string'),
        ('metadata', 32, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 32, None, 'map', 'coordination_v1alpha2.LeaseCandidateSpec'),
    ),
    'LeaseCandidateList': (
        ('apiVersion', 32, None, 'primitive', 'string'),
        ('items', 32, None, 'list', 'coordination_v1alpha2.LeaseCandidate', None, None, 'atomic', None, 1),
        ('kind', 32, None, 'primitive', 'string'),
        ('metadata', 32, None, 'map', 'meta_v1.ListMeta'),
    ),
    'LeaseCandidateSpec': (
        ('binaryVersion', 32, None, 'primitive', 'string'),
        ('emulationVersion', 32, None, 'primitive', 'string'),
        ('leaseName', 32, None, 'primitive', 'string'),
        ('pingTime', 32, None, 'primitive', 'string'),
        ('renewTime', 32, None, 'primitive', 'string'),
        ('strategy', 32, None, 'primitive', 'string'),
    ),
}
