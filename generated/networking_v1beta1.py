"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'HTTPIngressPath': (
        ('backend', 14, 21, 'map', 'networking_v1beta1.IngressBackend'),
        ('path', 14, 21, 'primitive', 'string'),
        ('pathType', 18, 21, 'primitive', 'string'),
    ),
    'HTTPIngressRuleValue': (
        ('paths', 14, 21, 'list', 'networking_v1beta1.HTTPIngressPath', None, None, 'atomic', None, 1),
    ),
    'IPAddress': (
        ('apiVersion', 31, 36, 'primitive', 'string'),
        ('kind', 31, 36, 'primitive', 'string'),
        ('metadata', 31, 36, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 31, 36, 'map', 'networking_v1beta1.IPAddressSpec'),
    ),
    'IPAddressList': (
        ('apiVersion', 31, 36, 'primitive', 'string'),
        ('items', 31, 36, 'list', 'networking_v1beta1.IPAddress', None, None, 'atomic', None, 1),
        ('kind', 31, 36, 'primitive', 'string'),
        ('metadata', 31, 36, 'map', 'meta_v1.ListMeta'),
    ),
    'IPAddressSpec': (
        ('parentRef', 31, 36, 'map', 'networking_v1beta1.ParentReference'),
    ),
    'Ingress': (
        ('apiVersion', 14, 21, 'primitive', 'string'),
        ('kind', 14, 21, 'primitive', 'string'),
        ('metadata', 14, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 14, 21, 'map', 'networking_v1beta1.IngressSpec'),
        ('status', 14, 21, 'map', 'networking_v1beta1.IngressStatus'),
    ),
    'IngressBackend': (
        ('resource', 18, 21, 'map', 'core_v1.TypedLocalObjectReference'),
        ('serviceName', 14, 21, 'primitive', 'string'),
        ('servicePort', 14, 21, 'primitive', 'int-or-string'),
    ),
    'IngressClass': (
        ('apiVersion', 18, 21, 'primitive', 'string'),
        ('kind', 18, 21, 'primitive', 'string'),
        ('metadata', 18, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 18, 21, 'map', 'networking_v1beta1.IngressClassSpec'),
    ),
    'IngressClassList': (
        ('apiVersion', 18, 21, 'primitive', 'string'),
        ('items', 18, 18, 'list', 'networking_v1beta1.IngressClass', None, None, 'set'),
        ('items', 19, 21, 'list', 'networking_v1beta1.IngressClass', None, None, 'atomic', None, 1),
        ('kind', 18, 21, 'primitive', 'string'),
        ('metadata', 18, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'IngressClassParametersReference': (
        ('apiGroup', 21, 21, 'primitive', 'string'),
        ('kind', 21, 21, 'primitive', 'string'),
        ('name', 21, 21, 'primitive', 'string'),
        ('namespace', 21, 21, 'primitive', 'string'),
        ('scope', 21, 21, 'primitive', 'string'),
    ),
    'IngressClassSpec': (
        ('controller', 18, 21, 'primitive', 'string'),
        ('parameters', 18, 20, 'map', 'core_v1.TypedLocalObjectReference'),
        ('parameters', 21, 21, 'map', 'networking_v1beta1.IngressClassParametersReference'),
    ),
    'IngressList': (
        ('apiVersion', 14, 21, 'primitive', 'string'),
        ('items', 14, 21, 'list', 'networking_v1beta1.Ingress', None, None, 'atomic', None, 1),
        ('kind', 14, 21, 'primitive', 'string'),
        ('metadata', 14, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'IngressRule': (
        ('host', 14, 21, 'primitive', 'string'),
        ('http', 14, 21, 'map', 'networking_v1beta1.HTTPIngressRuleValue'),
    ),
    'IngressSpec': (
        ('backend', 14, 21, 'map', 'networking_v1beta1.IngressBackend'),
        ('ingressClassName', 18, 21, 'primitive', 'string'),
        ('rules', 14, 21, 'list', 'networking_v1beta1.IngressRule', None, None, 'atomic', None, 1),
        ('tls', 14, 21, 'list', 'networking_v1beta1.IngressTLS', None, None, 'atomic', None, 1),
    ),
    'IngressStatus': (
        ('loadBalancer', 14, 21, 'map', 'core_v1.LoadBalancerStatus'),
    ),
    'IngressTLS': (
        ('hosts', 14, 21, 'list', 'string', None, None, 'atomic', None, 1),
        ('secretName', 14, 21, 'primitive', 'string'),
    ),
    'ParentReference': (
        ('group', 31, 36, 'primitive', 'string'),
        ('name', 31, 36, 'primitive', 'string'),
        ('namespace', 31, 36, 'primitive', 'string'),
        ('resource', 31, 36, 'primitive', 'string'),
    ),
    'ServiceCIDR': (
        ('apiVersion', 31, 36, 'primitive', 'string'),
        ('kind', 31, 36, 'primitive', 'string'),
        ('metadata', 31, 36, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 31, 36, 'map', 'networking_v1beta1.ServiceCIDRSpec'),
        ('status', 31, 36, 'map', 'networking_v1beta1.ServiceCIDRStatus'),
    ),
    'ServiceCIDRList': (
        ('apiVersion', 31, 36, 'primitive', 'string'),
        ('items', 31, 36, 'list', 'networking_v1beta1.ServiceCIDR', None, None, 'atomic', None, 1),
        ('kind', 31, 36, 'primitive', 'string'),
        ('metadata', 31, 36, 'map', 'meta_v1.ListMeta'),
    ),
    'ServiceCIDRSpec': (
        ('cidrs', 31, 36, 'list', 'string', None, None, 'atomic'),
    ),
    'ServiceCIDRStatus': (
        ('conditions', 31, 36, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
    ),
}
