"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'CronJob': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'batch_v1.CronJobSpec'),
    ),
    'CronJobSpec': (
        ('schedule', 36, None, None, 'type', 'string'),
        ('schedule', 36, None, 37, 'required'),
        ('jobTemplate', 37, None, None, 'type', 'batch_v1.JobTemplateSpec'),
    ),
    'Job': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'batch_v1.JobSpec'),
    ),
    'JobSchedulingConfiguration': (
        ('schedulingPolicy', 37, None, None, 'type', '*scheduling_v1alpha3.WorkloadPodGroupSchedulingPolicy'),
        ('schedulingPolicy', 37, None, 37, 'optional'),
        ('schedulingPolicy', 37, None, 37, 'update', 'NoSet'),
        ('schedulingPolicy', 37, None, 37, 'update', 'NoUnset'),
        ('schedulingConstraints', 37, None, None, 'type', '*scheduling_v1alpha3.WorkloadPodGroupSchedulingConstraints'),
        ('schedulingConstraints', 37, None, 37, 'immutable'),
        ('schedulingConstraints', 37, None, 37, 'optional'),
        ('disruptionMode', 37, None, None, 'type', '*scheduling_v1alpha3.WorkloadPodGroupDisruptionMode'),
        ('disruptionMode', 37, None, 37, 'immutable'),
        ('disruptionMode', 37, None, 37, 'optional'),
        ('resourceClaims', 37, None, None, 'type', '[]scheduling_v1alpha3.WorkloadPodGroupResourceClaim'),
        ('resourceClaims', 37, None, 37, 'immutable'),
        ('resourceClaims', 37, None, 37, 'maxItems', 4),
        ('resourceClaims', 37, None, 37, 'optional'),
        ('resourceClaims', 37, None, 37, 'listMapKey', 'name'),
        ('resourceClaims', 37, None, 37, 'listType', 'map'),
    ),
    'JobSpec': (
        ('backoffLimitPerIndex', 37, None, None, 'type', '*int32'),
        ('maxFailedIndexes', 37, None, None, 'type', '*int32'),
        ('maxFailedIndexes', 37, None, 37, 'optional'),
        ('maxFailedIndexes', 37, None, None, 'dependentRequired', 'backoffLimitPerIndex'),
        ('template', 37, None, None, 'type', 'core_v1.PodTemplateSpec'),
        ('scheduling', 37, None, None, 'type', '*batch_v1.JobSchedulingConfiguration'),
        ('scheduling', 37, None, 37, 'ifDisabled', 'WorkloadWithJob', ('forbidden',)),
        ('scheduling', 37, None, 37, 'optional'),
        ('scheduling', 37, None, 37, 'update', 'NoSet'),
        ('scheduling', 37, None, 37, 'update', 'NoUnset'),
    ),
    'JobTemplateSpec': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
        ('spec', 37, None, None, 'type', 'batch_v1.JobSpec'),
    ),
}
