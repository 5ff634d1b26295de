"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Info': (
        ('buildDate', 7, None, 'primitive', 'string'),
        ('compiler', 7, None, 'primitive', 'string'),
        ('emulationMajor', 33, None, 'primitive', 'string'),
        ('emulationMinor', 33, None, 'primitive', 'string'),
        ('gitCommit', 7, None, 'primitive', 'string'),
        ('gitTreeState', 7, None, 'primitive', 'string'),
        ('gitVersion', 7, None, 'primitive', 'string'),
        ('goVersion', 7, None, 'primitive', 'string'),
        ('major', 7, None, 'primitive', 'string'),
        ('minCompatibilityMajor', 33, None, 'primitive', 'string'),
        ('minCompatibilityMinor', 33, None, 'primitive', 'string'),
        ('minor', 7, None, 'primitive', 'string'),
        ('platform', 7, None, 'primitive', 'string'),
    ),
}
