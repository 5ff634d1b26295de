"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'LeaseCandidate': (
        ('apiVersion', 31, 31, 'primitive', 'string'),
        ('kind', 31, 31, 'primitive', 'string'),
        ('metadata', 31, 31, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 31, 31, 'map', 'coordination_v1alpha1.LeaseCandidateSpec'),
    ),
    'LeaseCandidateList': (
        ('apiVersion', 31, 31, 'primitive', 'string'),
        ('items', 31, 31, 'list', 'coordination_v1alpha1.LeaseCandidate', None, None, 'atomic', None, 1),
        ('kind', 31, 31, 'primitive', 'string'),
        ('metadata', 31, 31, 'map', 'meta_v1.ListMeta'),
    ),
    'LeaseCandidateSpec': (
        ('binaryVersion', 31, 31, 'primitive', 'string'),
        ('emulationVersion', 31, 31, 'primitive', 'string'),
        ('leaseName', 31, 31, 'primitive', 'string'),
        ('pingTime', 31, 31, 'primitive', 'string'),
        ('preferredStrategies', 31, 31, 'list', 'string', None, None, 'atomic'),
        ('renewTime', 31, 31, 'primitive', 'string'),
    ),
}
