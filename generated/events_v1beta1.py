"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Event': (
        ('action', 9, 24, 'primitive', 'string'),
        ('apiVersion', 9, 24, 'primitive', 'string'),
        ('deprecatedCount', 9, 24, 'primitive', 'integer'),
        ('deprecatedFirstTimestamp', 9, 24, 'primitive', 'string'),
        ('deprecatedLastTimestamp', 9, 24, 'primitive', 'string'),
        ('deprecatedSource', 9, 24, 'map', 'core_v1.EventSource'),
        ('eventTime', 9, 24, 'primitive', 'string'),
        ('kind', 9, 24, 'primitive', 'string'),
        ('metadata', 9, 24, 'map', 'meta_v1.ObjectMeta'),
        ('note', 9, 24, 'primitive', 'string'),
        ('reason', 9, 24, 'primitive', 'string'),
        ('regarding', 9, 21, 'map', 'core_v1.ObjectReference'),
        ('regarding', 22, 24, 'map', 'core_v1.ObjectReference', None, None, None, None, None, 'atomic'),
        ('related', 9, 21, 'map', 'core_v1.ObjectReference'),
        ('related', 22, 24, 'map', 'core_v1.ObjectReference', None, None, None, None, None, 'atomic'),
        ('reportingController', 9, 24, 'primitive', 'string'),
        ('reportingInstance', 9, 24, 'primitive', 'string'),
        ('series', 9, 24, 'map', 'events_v1beta1.EventSeries'),
        ('type', 9, 24, 'primitive', 'string'),
    ),
    'EventList': (
        ('apiVersion', 9, 24, 'primitive', 'string'),
        ('items', 9, 24, 'list', 'events_v1beta1.Event', None, None, 'atomic', None, 1),
        ('kind', 9, 24, 'primitive', 'string'),
        ('metadata', 9, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'EventSeries': (
        ('count', 9, 24, 'primitive', 'integer'),
        ('lastObservedTime', 9, 24, 'primitive', 'string'),
        ('state', 9, 18, 'primitive', 'string'),
    ),
}
