"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CronJob': (
        ('apiVersion', 8, 24, 'primitive', 'string'),
        ('kind', 8, 24, 'primitive', 'string'),
        ('metadata', 8, 24, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 8, 24, 'map', 'batch_v1beta1.CronJobSpec'),
        ('status', 8, 24, 'map', 'batch_v1beta1.CronJobStatus'),
    ),
    'CronJobList': (
        ('apiVersion', 8, 24, 'primitive', 'string'),
        ('items', 8, 24, 'list', 'batch_v1beta1.CronJob', None, None, 'atomic', None, 1),
        ('kind', 8, 24, 'primitive', 'string'),
        ('metadata', 8, 24, 'map', 'meta_v1.ListMeta'),
    ),
    'CronJobSpec': (
        ('concurrencyPolicy', 8, 24, 'primitive', 'string'),
        ('failedJobsHistoryLimit', 8, 24, 'primitive', 'integer'),
        ('jobTemplate', 8, 24, 'map', 'batch_v1beta1.JobTemplateSpec'),
        ('schedule', 8, 24, 'primitive', 'string'),
        ('startingDeadlineSeconds', 8, 24, 'primitive', 'integer'),
        ('successfulJobsHistoryLimit', 8, 24, 'primitive', 'integer'),
        ('suspend', 8, 24, 'primitive', 'boolean'),
        ('timeZone', 24, 24, 'primitive', 'string'),
    ),
    'CronJobStatus': (
        ('active', 8, 20, 'list', 'core_v1.ObjectReference', None, None, 'atomic', None, 1),
        ('active', 21, 24, 'list', 'core_v1.ObjectReference', None, None, 'atomic'),
        ('lastScheduleTime', 8, 24, 'primitive', 'string'),
        ('lastSuccessfulTime', 21, 24, 'primitive', 'string'),
    ),
    'JobTemplateSpec': (
        ('metadata', 8, 24, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 8, 24, 'map', 'batch_v1.JobSpec'),
    ),
}
