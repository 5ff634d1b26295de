"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'APIService': (
        ('apiVersion', 10, None, 'primitive', 'string'),
        ('kind', 10, None, 'primitive', 'string'),
        ('metadata', 10, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 10, None, 'map', 'apiregistration_v1.APIServiceSpec'),
        ('status', 10, None, 'map', 'apiregistration_v1.APIServiceStatus'),
    ),
    'APIServiceCondition': (
        ('lastTransitionTime', 10, None, 'primitive', 'string'),
        ('message', 10, None, 'primitive', 'string'),
        ('reason', 10, None, 'primitive', 'string'),
        ('status', 10, None, 'primitive', 'string'),
        ('type', 10, None, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'APIServiceList': (
        ('apiVersion', 10, None, 'primitive', 'string'),
        ('items', 10, None, 'list', 'apiregistration_v1.APIService', None, None, 'atomic', None, 1),
        ('kind', 10, None, 'primitive', 'string'),
        ('metadata', 10, None, 'map', 'meta_v1.ListMeta'),
    ),
    'APIServiceSpec': (
        ('caBundle', 10, None, 'primitive', 'string'),
        ('group', 10, None, 'primitive', 'string'),
        ('groupPriorityMinimum', 10, None, 'primitive', 'integer'),
        ('insecureSkipTLSVerify', 10, None, 'primitive', 'boolean'),
        ('service', 10, None, 'map', 'apiregistration_v1.ServiceReference'),
        ('version', 10, None, 'primitive', 'string'),
        ('versionPriority', 10, None, 'primitive', 'integer'),
    ),
    'APIServiceStatus': (
        ('conditions', 10, 18, 'list', 'apiregistration_v1.APIServiceCondition', 'merge', 'type', 'map', ('type',), 1),
        ('conditions', 19, None, 'list', 'apiregistration_v1.APIServiceCondition', 'merge', 'type', 'map', ('type',)),
    ),
    'ServiceReference': (
        ('name', 10, None, 'primitive', 'string'),
        ('namespace', 10, None, 'primitive', 'string'),
        ('port', 15, None, 'primitive', 'integer'),
    ),
}
