"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'Event': (
        ('action', 19, None, 'primitive', 'string'),
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('deprecatedCount', 19, None, 'primitive', 'integer'),
        ('deprecatedFirstTimestamp', 19, None, 'primitive', 'string'),
        ('deprecatedLastTimestamp', 19, None, 'primitive', 'string'),
        ('deprecatedSource', 19, None, 'map', 'core_v1.EventSource'),
        ('eventTime', 19, None, 'primitive', 'string'),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ObjectMeta'),
        ('note', 19, None, 'primitive', 'string'),
        ('reason', 19, None, 'primitive', 'string'),
        ('regarding', 19, 21, 'map', 'core_v1.ObjectReference'),
        ('regarding', 22, None, 'map', 'core_v1.ObjectReference', None, None, None, None, None, 'atomic'),
        ('related', 19, 21, 'map', 'core_v1.ObjectReference'),
        ('related', 22, None, 'map', 'core_v1.ObjectReference', None, None, None, None, None, 'atomic'),
        ('reportingController', 19, None, 'primitive', 'string'),
        ('reportingInstance', 19, None, 'primitive', 'string'),
        ('series', 19, None, 'map', 'events_v1.EventSeries'),
        ('type', 19, None, 'primitive', 'string'),
    ),
    'EventList': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('items', 19, None, 'list', 'events_v1.Event', None, None, 'atomic', None, 1),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ListMeta'),
    ),
    'EventSeries': (
        ('count', 19, None, 'primitive', 'integer'),
        ('lastObservedTime', 19, None, 'primitive', 'string'),
    ),
}
