"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ClusterCIDR': (
        ('apiVersion', 25, 28, 'primitive', 'string'),
        ('kind', 25, 28, 'primitive', 'string'),
        ('metadata', 25, 28, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 25, 28, 'map', 'networking_v1alpha1.ClusterCIDRSpec'),
    ),
    'ClusterCIDRList': (
        ('apiVersion', 25, 28, 'primitive', 'string'),
        ('items', 25, 28, 'list', 'networking_v1alpha1.ClusterCIDR', None, None, 'atomic', None, 1),
        ('kind', 25, 28, 'primitive', 'string'),
        ('metadata', 25, 28, 'map', 'meta_v1.ListMeta'),
    ),
    'ClusterCIDRSpec': (
        ('ipv4', 25, 28, 'primitive', 'string'),
        ('ipv6', 25, 28, 'primitive', 'string'),
        ('nodeSelector', 25, 28, 'map', 'core_v1.NodeSelector', None, None, None, None, None, 'atomic'),
        ('perNodeHostBits', 25, 28, 'primitive', 'integer'),
    ),
    'IPAddress': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 27, 30, 'map', 'networking_v1alpha1.IPAddressSpec'),
    ),
    'IPAddressList': (
        ('apiVersion', 27, 30, 'primitive', 'string'),
        ('items', 27, 30, 'list', 'networking_v1alpha1.IPAddress', None, None, 'atomic', None, 1),
        ('kind', 27, 30, 'primitive', 'string'),
        ('metadata', 27, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'IPAddressSpec': (
        ('parentRef', 27, 30, 'map', 'networking_v1alpha1.ParentReference'),
    ),
    'ParentReference': (
        ('group', 27, 30, 'primitive', 'string'),
        ('name', 27, 30, 'primitive', 'string'),
        ('namespace', 27, 30, 'primitive', 'string'),
        ('resource', 27, 30, 'primitive', 'string'),
        ('uid', 27, 28, 'primitive', 'string'),
    ),
    'ServiceCIDR': (
        ('apiVersion', 29, 30, 'primitive', 'string'),
        ('kind', 29, 30, 'primitive', 'string'),
        ('metadata', 29, 30, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 29, 30, 'map', 'networking_v1alpha1.ServiceCIDRSpec'),
        ('status', 29, 30, 'map', 'networking_v1alpha1.ServiceCIDRStatus'),
    ),
    'ServiceCIDRList': (
        ('apiVersion', 29, 30, 'primitive', 'string'),
        ('items', 29, 30, 'list', 'networking_v1alpha1.ServiceCIDR', None, None, 'atomic', None, 1),
        ('kind', 29, 30, 'primitive', 'string'),
        ('metadata', 29, 30, 'map', 'meta_v1.ListMeta'),
    ),
    'ServiceCIDRSpec': (
        ('cidrs', 29, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('cidrs', 30, 30, 'list', 'string', None, None, 'atomic'),
    ),
    'ServiceCIDRStatus': (
        ('conditions', 29, 30, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
    ),
}
