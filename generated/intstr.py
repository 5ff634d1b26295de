"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

TYPES = {
    'IntOrString': (
        ('', 7, None, 'primitive', 'int-or-string'),
    ),
}
