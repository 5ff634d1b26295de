"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'APIService': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 21, 'map', 'apiregistration_v1beta1.APIServiceSpec'),
        ('status', 7, 21, 'map', 'apiregistration_v1beta1.APIServiceStatus'),
    ),
    'APIServiceCondition': (
        ('lastTransitionTime', 7, 21, 'primitive', 'string'),
        ('message', 7, 21, 'primitive', 'string'),
        ('reason', 7, 21, 'primitive', 'string'),
        ('status', 7, 21, 'primitive', 'string'),
        ('type', 7, 21, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'APIServiceList': (
        ('apiVersion', 7, 21, 'primitive', 'string'),
        ('items', 7, 21, 'list', 'apiregistration_v1beta1.APIService', None, None, 'atomic', None, 1),
        ('kind', 7, 21, 'primitive', 'string'),
        ('metadata', 7, 21, 'map', 'meta_v1.ListMeta'),
    ),
    'APIServiceSpec': (
        ('caBundle', 7, 21, 'primitive', 'string'),
        ('group', 7, 21, 'primitive', 'string'),
        ('groupPriorityMinimum', 7, 21, 'primitive', 'integer'),
        ('insecureSkipTLSVerify', 7, 21, 'primitive', 'boolean'),
        ('service', 7, 21, 'map', 'apiregistration_v1beta1.ServiceReference'),
        ('version', 7, 21, 'primitive', 'string'),
        ('versionPriority', 7, 21, 'primitive', 'integer'),
    ),
    'APIServiceStatus': (
        ('conditions', 7, 18, 'list', 'apiregistration_v1beta1.APIServiceCondition', 'merge', 'type', 'map', ('type',), 1),
        ('conditions', 19, 21, 'list', 'apiregistration_v1beta1.APIServiceCondition', 'merge', 'type', 'map', ('type',)),
    ),
    'ServiceReference': (
        ('name', 7, 21, 'primitive', 'string'),
        ('namespace', 7, 21, 'primitive', 'string'),
        ('port', 15, 21, 'primitive', 'integer'),
    ),
}
