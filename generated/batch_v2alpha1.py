"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CronJob': (
        ('apiVersion', 7, 20, 'primitive', 'string'),
        ('kind', 7, 20, 'primitive', 'string'),
        ('metadata', 7, 20, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 20, 'map', 'batch_v2alpha1.CronJobSpec'),
        ('status', 7, 20, 'map', 'batch_v2alpha1.CronJobStatus'),
    ),
    'CronJobList': (
        ('apiVersion', 7, 20, 'primitive', 'string'),
        ('items', 7, 20, 'list', 'batch_v2alpha1.CronJob', None, None, 'atomic', None, 1),
        ('kind', 7, 20, 'primitive', 'string'),
        ('metadata', 7, 20, 'map', 'meta_v1.ListMeta'),
    ),
    'CronJobSpec': (
        ('concurrencyPolicy', 7, 20, 'primitive', 'string'),
        ('failedJobsHistoryLimit', 7, 20, 'primitive', 'integer'),
        ('jobTemplate', 7, 20, 'map', 'batch_v2alpha1.JobTemplateSpec'),
        ('schedule', 7, 20, 'primitive', 'string'),
        ('startingDeadlineSeconds', 7, 20, 'primitive', 'integer'),
        ('successfulJobsHistoryLimit', 7, 20, 'primitive', 'integer'),
        ('suspend', 7, 20, 'primitive', 'boolean'),
    ),
    'CronJobStatus': (
        ('active', 7, 20, 'list', 'core_v1.ObjectReference', None, None, 'atomic', None, 1),
        ('lastScheduleTime', 7, 20, 'primitive', 'string'),
    ),
    'JobTemplateSpec': (
        ('metadata', 7, 20, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 20, 'map', 'batch_v1.JobSpec'),
    ),
}
