"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Endpoint': (
        ('addresses', 17, 24, 'list', 'string', None, None, 'set'),
        ('conditions', 17, 24, 'map', 'discovery_v1beta1.EndpointConditions'),
        ('hints', 21, 24, 'map', 'discovery_v1beta1.EndpointHints'),
        ('hostname', 17, 24, 'primitive', 'string'),
        ('nodeName', 20, 24, 'primitive', 'string'),
        ('targetRef', 17, 21, 'map', 'core_v1.ObjectReference'),
        ('targetRef', 22, 24, 'map', 'core_v1.ObjectReference', None, None, None, None, None, 'atomic'),
        ('topology', 17, 24, 'map', 'string', None, None, None, None, None, None, None, 1),
    ),
    'EndpointConditions': (
        ('ready', 17, 24, 'primitive', 'boolean'),
        ('serving', 20, 24, 'primitive', 'boolean'),
        ('terminating', 20, 24, 'primitive', 'boolean'),
    ),
    'EndpointHints': (
        ('forZones', 21, 24, 'list', 'discovery_v1beta1.ForZone', None, None, 'atomic'),
    ),
    'EndpointPort': (
        ('appProtocol', 17, 24, 'primitive', 'string'),
        ('name', 17, 24, 'primitive', 'string'),
        ('port', 17, 24, 'primitive', 'integer'),
        ('protocol', 17, 24, 'primitive', 'string'),
    ),
    'EndpointSlice': (
        ('addressType', 17, 24, 'primitive', 'string'),
        ('apiVersion', 17, 24, 'primitive', 'string'),
        ('endpoints', 17, 24, 'list', 'discovery_v1beta1.Endpoint', None, None, 'atomic'),
        ('kind', 17, 24, 'primitive', 'string'),
        ('metadata', 17, 24, 'map', 'meta_v1.ObjectMeta'),
        ('ports', 17, 24, 'list', 'discovery_v1beta1.EndpointPort', None, None, 'atomic'),
    ),
    'EndpointSliceList': (
        ('apiVersion', 17, 24, 'primitive', 'string'),
        ('items', 17, 18, 'list', 'discovery_v1beta1.EndpointSlice', None, None, 'set'),
        ('items', 19, 24, 'list', 'discovery_v1beta1.EndpointSlice', None, None, 'atomic', None, 1),
        ('kind', 17, 24, 'primitive', 'string'),
        ('metadata', 17, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'ForZone': (
        ('name', 21, 24, 'primitive', 'string'),
    ),
}
