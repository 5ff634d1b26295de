"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'IPAddress': (
        ('spec', 36, 36, None, 'type', 'networking_v1beta1.IPAddressSpec'),
    ),
    'IPAddressSpec': (
        ('parentRef', 36, 36, None, 'type', '*networking_v1beta1.ParentReference'),
        ('parentRef', 36, 36, None, 'required'),
        ('parentRef', 36, 36, None, 'immutable'),
    ),
    'ParentReference': (
        ('resource', 36, 36, None, 'type', 'string'),
        ('resource', 36, 36, None, 'required'),
        ('name', 36, 36, None, 'type', 'string'),
        ('name', 36, 36, None, 'required'),
    ),
}
