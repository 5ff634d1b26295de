"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'HTTPIngressPath': (
        ('backend', 19, None, 'map', 'networking_v1.IngressBackend'),
        ('path', 19, None, 'primitive', 'string'),
        ('pathType', 19, None, 'primitive', 'string'),
    ),
    'HTTPIngressRuleValue': (
        ('paths', 19, None, 'list', 'networking_v1.HTTPIngressPath', None, None, 'atomic'),
    ),
    'IPAddress': (
        ('apiVersion', 33, None, 'primitive', 'string'),
        ('kind', 33, None, 'primitive', 'string'),
        ('metadata', 33, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 33, None, 'map', 'networking_v1.IPAddressSpec'),
    ),
    'IPAddressList': (
        ('apiVersion', 33, None, 'primitive', 'string'),
        ('items', 33, None, 'list', 'networking_v1.IPAddress', None, None, 'atomic', None, 1),
        ('kind', 33, None, 'primitive', 'string'),
        ('metadata', 33, None, 'map', 'meta_v1.ListMeta'),
    ),
    'IPAddressSpec': (
        ('parentRef', 33, None, 'map', 'networking_v1.ParentReference'),
    ),
    'IPBlock': (
        ('cidr', 8, None, 'primitive', 'string'),
        ('except', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('except', 30, None, 'list', 'string', None, None, 'atomic'),
    ),
    'Ingress': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 19, None, 'map', 'networking_v1.IngressSpec'),
        ('status', 19, None, 'map', 'networking_v1.IngressStatus'),
    ),
    'IngressBackend': (
        ('resource', 19, 21, 'map', 'core_v1.TypedLocalObjectReference'),
        ('resource', 22, None, 'map', 'core_v1.TypedLocalObjectReference', None, None, None, None, None, 'atomic'),
        ('service', 19, None, 'map', 'networking_v1.IngressServiceBackend'),
    ),
    'IngressClass': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 19, None, 'map', 'networking_v1.IngressClassSpec'),
    ),
    'IngressClassList': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('items', 19, None, 'list', 'networking_v1.IngressClass', None, None, 'atomic', None, 1),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ListMeta'),
    ),
    'IngressClassParametersReference': (
        ('apiGroup', 21, None, 'primitive', 'string'),
        ('kind', 21, None, 'primitive', 'string'),
        ('name', 21, None, 'primitive', 'string'),
        ('namespace', 21, None, 'primitive', 'string'),
        ('scope', 21, None, 'primitive', 'string'),
    ),
    'IngressClassSpec': (
        ('controller', 19, None, 'primitive', 'string'),
        ('parameters', 19, 20, 'map', 'core_v1.TypedLocalObjectReference'),
        ('parameters', 21, None, 'map', 'networking_v1.IngressClassParametersReference'),
    ),
    'IngressList': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('items', 19, None, 'list', 'networking_v1.Ingress', None, None, 'atomic', None, 1),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ListMeta'),
    ),
    'IngressLoadBalancerIngress': (
        ('hostname', 26, None, 'primitive', 'string'),
        ('ip', 26, None, 'primitive', 'string'),
        ('ports', 26, None, 'list', 'networking_v1.IngressPortStatus', None, None, 'atomic'),
    ),
    'IngressLoadBalancerStatus': (
        ('ingress', 26, 29, 'list', 'networking_v1.IngressLoadBalancerIngress', None, None, 'atomic', None, 1),
        ('ingress', 30, None, 'list', 'networking_v1.IngressLoadBalancerIngress', None, None, 'atomic'),
    ),
    'IngressPortStatus': (
        ('error', 26, None, 'primitive', 'string'),
        ('port', 26, None, 'primitive', 'integer'),
        ('protocol', 26, None, 'primitive', 'string'),
    ),
    'IngressRule': (
        ('host', 19, None, 'primitive', 'string'),
        ('http', 19, None, 'map', 'networking_v1.HTTPIngressRuleValue'),
    ),
    'IngressServiceBackend': (
        ('name', 19, None, 'primitive', 'string'),
        ('port', 19, 30, 'map', 'networking_v1.ServiceBackendPort'),
        ('port', 31, None, 'map', 'networking_v1.ServiceBackendPort', None, None, None, None, None, 'atomic'),
    ),
    'IngressSpec': (
        ('defaultBackend', 19, None, 'map', 'networking_v1.IngressBackend'),
        ('ingressClassName', 19, None, 'primitive', 'string'),
        ('rules', 19, None, 'list', 'networking_v1.IngressRule', None, None, 'atomic'),
        ('tls', 19, None, 'list', 'networking_v1.IngressTLS', None, None, 'atomic'),
    ),
    'IngressStatus': (
        ('loadBalancer', 19, 25, 'map', 'core_v1.LoadBalancerStatus'),
        ('loadBalancer', 26, None, 'map', 'networking_v1.IngressLoadBalancerStatus'),
    ),
    'IngressTLS': (
        ('hosts', 19, None, 'list', 'string', None, None, 'atomic'),
        ('secretName', 19, None, 'primitive', 'string'),
    ),
    'NetworkPolicy': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'networking_v1.NetworkPolicySpec'),
        ('status', 24, 27, 'map', 'networking_v1.NetworkPolicyStatus'),
    ),
    'NetworkPolicyEgressRule': (
        ('ports', 8, 29, 'list', 'networking_v1.NetworkPolicyPort', None, None, 'atomic', None, 1),
        ('ports', 30, None, 'list', 'networking_v1.NetworkPolicyPort', None, None, 'atomic'),
        ('to', 8, 29, 'list', 'networking_v1.NetworkPolicyPeer', None, None, 'atomic', None, 1),
        ('to', 30, None, 'list', 'networking_v1.NetworkPolicyPeer', None, None, 'atomic'),
    ),
    'NetworkPolicyIngressRule': (
        ('from', 7, 29, 'list', 'networking_v1.NetworkPolicyPeer', None, None, 'atomic', None, 1),
        ('from', 30, None, 'list', 'networking_v1.NetworkPolicyPeer', None, None, 'atomic'),
        ('ports', 7, 29, 'list', 'networking_v1.NetworkPolicyPort', None, None, 'atomic', None, 1),
        ('ports', 30, None, 'list', 'networking_v1.NetworkPolicyPort', None, None, 'atomic'),
    ),
    'NetworkPolicyList': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('items', 7, None, 'list', 'networking_v1.NetworkPolicy', None, None, 'atomic', None, 1),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ListMeta'),
    ),
    'NetworkPolicyPeer': (
        ('ipBlock', 8, None, 'map', 'networking_v1.IPBlock'),
        ('namespaceSelector', 7, 19, 'map', 'meta_v1.LabelSelector'),
        ('namespaceSelector', 20, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('podSelector', 7, 19, 'map', 'meta_v1.LabelSelector'),
        ('podSelector', 20, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
    ),
    'NetworkPolicyPort': (
        ('endPort', 21, None, 'primitive', 'integer'),
        ('port', 7, None, 'primitive', 'int-or-string'),
        ('protocol', 7, None, 'primitive', 'string'),
    ),
    'NetworkPolicySpec': (
        ('egress', 8, 29, 'list', 'networking_v1.NetworkPolicyEgressRule', None, None, 'atomic', None, 1),
        ('egress', 30, None, 'list', 'networking_v1.NetworkPolicyEgressRule', None, None, 'atomic'),
        ('ingress', 7, 29, 'list', 'networking_v1.NetworkPolicyIngressRule', None, None, 'atomic', None, 1),
        ('ingress', 30, None, 'list', 'networking_v1.NetworkPolicyIngressRule', None, None, 'atomic'),
        ('podSelector', 7, 19, 'map', 'meta_v1.LabelSelector'),
        ('podSelector', 20, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
        ('policyTypes', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('policyTypes', 30, None, 'list', 'string', None, None, 'atomic'),
    ),
    'NetworkPolicyStatus': (
        ('conditions', 24, 27, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
    ),
    'ParentReference': (
        ('group', 33, None, 'primitive', 'string'),
        ('name', 33, None, 'primitive', 'string'),
        ('namespace', 33, None, 'primitive', 'string'),
        ('resource', 33, None, 'primitive', 'string'),
    ),
    'ServiceBackendPort': (
        ('', 31, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('name', 19, None, 'primitive', 'string'),
        ('number', 19, None, 'primitive', 'integer'),
    ),
    'ServiceCIDR': (
        ('apiVersion', 33, None, 'primitive', 'string'),
        ('kind', 33, None, 'primitive', 'string'),
        ('metadata', 33, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 33, None, 'map', 'networking_v1.ServiceCIDRSpec'),
        ('status', 33, None, 'map', 'networking_v1.ServiceCIDRStatus'),
    ),
    'ServiceCIDRList': (
        ('apiVersion', 33, None, 'primitive', 'string'),
        ('items', 33, None, 'list', 'networking_v1.ServiceCIDR', None, None, 'atomic', None, 1),
        ('kind', 33, None, 'primitive', 'string'),
        ('metadata', 33, None, 'map', 'meta_v1.ListMeta'),
    ),
    'ServiceCIDRSpec': (
        ('cidrs', 33, None, 'list', 'string', None, None, 'atomic'),
    ),
    'ServiceCIDRStatus': (
        ('conditions', 33, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
    ),
}
