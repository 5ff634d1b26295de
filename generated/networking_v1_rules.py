"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'IPAddress': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'networking_v1.IPAddressSpec'),
    ),
    'IPAddressSpec': (
        ('parentRef', 36, None, None, 'type', '*networking_v1.ParentReference'),
        ('parentRef', 36, None, 37, 'required'),
        ('parentRef', 36, None, 37, 'immutable'),
    ),
    'IPBlock': (
        ('cidr', 36, None, None, 'type', 'string'),
        ('cidr', 36, None, 37, 'required'),
    ),
    'Ingress': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'IngressClass': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'networking_v1.IngressClassSpec'),
    ),
    'IngressClassParametersReference': (
        ('kind', 36, None, None, 'type', 'string'),
        ('kind', 36, None, 37, 'required'),
        ('name', 36, None, None, 'type', 'string'),
        ('name', 36, None, 37, 'required'),
    ),
    'IngressClassSpec': (
        ('parameters', 36, None, None, 'type', '*networking_v1.IngressClassParametersReference'),
        ('parameters', 36, None, 37, 'optional'),
    ),
    'NetworkPolicy': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'networking_v1.NetworkPolicySpec'),
    ),
    'NetworkPolicyEgressRule': (
        ('to', 36, None, None, 'type', '[]networking_v1.NetworkPolicyPeer'),
        ('to', 36, None, 37, 'optional'),
    ),
    'NetworkPolicyIngressRule': (
        ('from', 36, None, None, 'type', '[]networking_v1.NetworkPolicyPeer'),
        ('from', 36, None, 37, 'optional'),
    ),
    'NetworkPolicyPeer': (
        ('ipBlock', 36, None, None, 'type', '*networking_v1.IPBlock'),
        ('ipBlock', 36, None, 37, 'optional'),
    ),
    'NetworkPolicySpec': (
        ('ingress', 36, None, None, 'type', '[]networking_v1.NetworkPolicyIngressRule'),
        ('ingress', 36, None, 37, 'optional'),
        ('egress', 36, None, None, 'type', '[]networking_v1.NetworkPolicyEgressRule'),
        ('egress', 36, None, 37, 'optional'),
    ),
    'ParentReference': (
        ('resource', 36, None, None, 'type', 'string'),
        ('resource', 36, None, 37, 'required'),
        ('name', 36, None, None, 'type', 'string'),
        ('name', 36, None, 37, 'required'),
    ),
    'ServiceCIDR': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('status', 37, None, None, 'type', 'networking_v1.ServiceCIDRStatus'),
    ),
    'ServiceCIDRStatus': (
        ('conditions', 37, None, None, 'type', '[]meta_v1.Condition'),
        ('conditions', 37, None, None, 'eachVal', ('opaqueType',)),
    ),
}
