"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Endpoint': (
        ('addresses', 16, 16, 'list', 'string', None, None, 'set'),
        ('conditions', 16, 16, 'map', 'discovery_v1alpha1.EndpointConditions'),
        ('hostname', 16, 16, 'primitive', 'string'),
        ('targetRef', 16, 16, 'map', 'core_v1.ObjectReference'),
        ('topology', 16, 16, 'map', 'string', None, None, None, None, None, None, None, 1),
    ),
    'EndpointConditions': (
        ('ready', 16, 16, 'primitive', 'boolean'),
    ),
    'EndpointPort': (
        ('name', 16, 16, 'primitive', 'string'),
        ('port', 16, 16, 'primitive', 'integer'),
        ('protocol', 16, 16, 'primitive', 'string'),
    ),
    'EndpointSlice': (
        ('addressType', 16, 16, 'primitive', 'string'),
        ('apiVersion', 16, 16, 'primitive', 'string'),
        ('endpoints', 16, 16, 'list', 'discovery_v1alpha1.Endpoint', None, None, 'atomic'),
        ('kind', 16, 16, 'primitive', 'string'),
        ('metadata', 16, 16, 'map', 'meta_v1.ObjectMeta'),
        ('ports', 16, 16, 'list', 'discovery_v1alpha1.EndpointPort', None, None, 'atomic'),
    ),
    'EndpointSliceList': (
        ('apiVersion', 16, 16, 'primitive', 'string'),
        ('items', 16, 16, 'list', 'discovery_v1alpha1.EndpointSlice', None, None, 'set'),
        ('kind', 16, 16, 'primitive', 'string'),
        ('metadata', 16, 16, 'map', 'meta_v1.ListMeta'),
    ),
}
