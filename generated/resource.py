"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

TYPES = {
    'Quantity': (
        ('', 7, None, 'primitive', 'quantity'),
    ),
}
