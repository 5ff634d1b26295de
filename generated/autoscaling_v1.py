"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CrossVersionObjectReference': (
        ('', 22, None, 'map', None, None, None, None, None, None, 'atomic'),
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('name', 7, None, 'primitive', 'string'),
    ),
    'HorizontalPodAutoscaler': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'autoscaling_v1.HorizontalPodAutoscalerSpec'),
        ('status', 7, None, 'map', 'autoscaling_v1.HorizontalPodAutoscalerStatus'),
    ),
    'HorizontalPodAutoscalerList': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('items', 7, None, 'list', 'autoscaling_v1.HorizontalPodAutoscaler', None, None, 'atomic', None, 1),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ListMeta'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('maxReplicas', 7, None, 'primitive', 'integer'),
        ('minReplicas', 7, None, 'primitive', 'integer'),
        ('scaleTargetRef', 7, 21, 'map', 'autoscaling_v1.CrossVersionObjectReference'),
        ('scaleTargetRef', 22, None, 'map', 'autoscaling_v1.CrossVersionObjectReference', None, None, None, None, None, 'atomic'),
        ('targetCPUUtilizationPercentage', 7, None, 'primitive', 'integer'),
    ),
    'HorizontalPodAutoscalerStatus': (
        ('currentCPUUtilizationPercentage', 7, None, 'primitive', 'integer'),
        ('currentReplicas', 7, None, 'primitive', 'integer'),
        ('desiredReplicas', 7, None, 'primitive', 'integer'),
        ('lastScaleTime', 7, None, 'primitive', 'string'),
        ('observedGeneration', 7, None, 'primitive', 'integer'),
    ),
    'Scale': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'autoscaling_v1.ScaleSpec'),
        ('status', 7, None, 'map', 'autoscaling_v1.ScaleStatus'),
    ),
    'ScaleSpec': (
        ('replicas', 7, None, 'primitive', 'integer'),
    ),
    'ScaleStatus': (
        ('replicas', 7, None, 'primitive', 'integer'),
        ('selector', 7, None, 'primitive', 'string'),
    ),
}
