"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

TYPES = {
    'RawExtension': (
        ('', 16, None, 'map', None, None, None, None, None, None, None, None, 1),
        ('Raw', 7, 15, 'primitive', 'string'),
    ),
}
