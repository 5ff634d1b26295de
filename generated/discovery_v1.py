"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Endpoint': (
        ('addresses', 21, None, 'list', 'string', None, None, 'set'),
        ('conditions', 21, None, 'map', 'discovery_v1.EndpointConditions'),
        ('deprecatedTopology', 21, None, 'map', 'string', None, None, None, None, None, None, None, 1),
        ('hints', 21, None, 'map', 'discovery_v1.EndpointHints'),
        ('hostname', 21, None, 'primitive', 'string'),
        ('nodeName', 21, None, 'primitive', 'string'),
        ('targetRef', 21, 21, 'map', 'core_v1.ObjectReference'),
        ('targetRef', 22, None, 'map', 'core_v1.ObjectReference', None, None, None, None, None, 'atomic'),
        ('zone', 21, None, 'primitive', 'string'),
    ),
    'EndpointConditions': (
        ('ready', 21, None, 'primitive', 'boolean'),
        ('serving', 21, None, 'primitive', 'boolean'),
        ('terminating', 21, None, 'primitive', 'boolean'),
    ),
    'EndpointHints': (
        ('forNodes', 33, None, 'list', 'discovery_v1.ForNode', None, None, 'atomic'),
        ('forZones', 21, None, 'list', 'discovery_v1.ForZone', None, None, 'atomic'),
    ),
    'EndpointPort': (
        ('', 22, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('appProtocol', 21, None, 'primitive', 'string'),
        ('name', 21, None, 'primitive', 'string'),
        ('port', 21, None, 'primitive', 'integer'),
        ('protocol', 21, None, 'primitive', 'string'),
    ),
    'EndpointSlice': (
        ('addressType', 21, None, 'primitive', 'string'),
        ('apiVersion', 21, None, 'primitive', 'string'),
        ('endpoints', 21, None, 'list', 'discovery_v1.Endpoint', None, None, 'atomic'),
        ('kind', 21, None, 'primitive', 'string'),
        ('metadata', 21, None, 'map', 'meta_v1.ObjectMeta'),
        ('ports', 21, None, 'list', 'discovery_v1.EndpointPort', None, None, 'atomic'),
    ),
    'EndpointSliceList': (
        ('apiVersion', 21, None, 'primitive', 'string'),
        ('items', 21, None, 'list', 'discovery_v1.EndpointSlice', None, None, 'atomic', None, 1),
        ('kind', 21, None, 'primitive', 'string'),
        ('metadata', 21, None, 'map', 'meta_v1.ListMeta'),
    ),
    'ForNode': (
        ('name', 33, None, 'primitive', 'string'),
    ),
    'ForZone': (
        ('name', 21, None, 'primitive', 'string'),
    ),
}
