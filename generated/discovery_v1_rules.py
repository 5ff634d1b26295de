"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'AddressType': (
        ('', 36, None, 37, 'enum', 'FQDN', 'IPv4', 'IPv6'),
    ),
    'Endpoint': (
        ('addresses', 36, None, None, 'type', '[]string'),
        ('addresses', 36, None, 37, 'required'),
        ('addresses', 36, None, 37, 'maxItems', 100),
    ),
    'EndpointSlice': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('addressType', 36, None, None, 'type', 'discovery_v1.AddressType~string'),
        ('addressType', 36, None, 37, 'required'),
        ('addressType', 36, None, 37, 'immutable'),
        ('endpoints', 36, None, None, 'type', '[]discovery_v1.Endpoint'),
        ('endpoints', 36, None, 37, 'optional'),
    ),
}
