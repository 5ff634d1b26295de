"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CrossVersionObjectReference': (
        ('apiVersion', 7, 7, 'primitive', 'string'),
        ('kind', 7, 7, 'primitive', 'string'),
        ('name', 7, 7, 'primitive', 'string'),
    ),
    'HorizontalPodAutoscaler': (
        ('apiVersion', 7, 7, 'primitive', 'string'),
        ('kind', 7, 7, 'primitive', 'string'),
        ('metadata', 7, 7, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, 7, 'map', 'autoscaling_v2alpha1.HorizontalPodAutoscalerSpec'),
        ('status', 7, 7, 'map', 'autoscaling_v2alpha1.HorizontalPodAutoscalerStatus'),
    ),
    'HorizontalPodAutoscalerCondition': (
        ('lastTransitionTime', 7, 7, 'primitive', 'string'),
        ('message', 7, 7, 'primitive', 'string'),
        ('reason', 7, 7, 'primitive', 'string'),
        ('status', 7, 7, 'primitive', 'string'),
        ('type', 7, 7, 'primitive', 'string'),
    ),
    'HorizontalPodAutoscalerList': (
        ('apiVersion', 7, 7, 'primitive', 'string'),
        ('items', 7, 7, 'list', 'autoscaling_v2alpha1.HorizontalPodAutoscaler', None, None, 'atomic', None, 1),
        ('kind', 7, 7, 'primitive', 'string'),
        ('metadata', 7, 7, 'map', 'meta_v1.ListMeta'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('maxReplicas', 7, 7, 'primitive', 'integer'),
        ('metrics', 7, 7, 'list', 'autoscaling_v2alpha1.MetricSpec', None, None, 'atomic', None, 1),
        ('minReplicas', 7, 7, 'primitive', 'integer'),
        ('scaleTargetRef', 7, 7, 'map', 'autoscaling_v2alpha1.CrossVersionObjectReference'),
    ),
    'HorizontalPodAutoscalerStatus': (
        ('conditions', 7, 7, 'list', 'autoscaling_v2alpha1.HorizontalPodAutoscalerCondition', None, None, 'atomic', None, 1),
        ('currentMetrics', 7, 7, 'list', 'autoscaling_v2alpha1.MetricStatus', None, None, 'atomic', None, 1),
        ('currentReplicas', 7, 7, 'primitive', 'integer'),
        ('desiredReplicas', 7, 7, 'primitive', 'integer'),
        ('lastScaleTime', 7, 7, 'primitive', 'string'),
        ('observedGeneration', 7, 7, 'primitive', 'integer'),
    ),
    'MetricSpec': (
        ('object', 7, 7, 'map', 'autoscaling_v2alpha1.ObjectMetricSource'),
        ('pods', 7, 7, 'map', 'autoscaling_v2alpha1.PodsMetricSource'),
        ('resource', 7, 7, 'map', 'autoscaling_v2alpha1.ResourceMetricSource'),
        ('type', 7, 7, 'primitive', 'string'),
    ),
    'MetricStatus': (
        ('object', 7, 7, 'map', 'autoscaling_v2alpha1.ObjectMetricStatus'),
        ('pods', 7, 7, 'map', 'autoscaling_v2alpha1.PodsMetricStatus'),
        ('resource', 7, 7, 'map', 'autoscaling_v2alpha1.ResourceMetricStatus'),
        ('type', 7, 7, 'primitive', 'string'),
    ),
    'ObjectMetricSource': (
        ('metricName', 7, 7, 'primitive', 'string'),
        ('target', 7, 7, 'map', 'autoscaling_v2alpha1.CrossVersionObjectReference'),
        ('targetValue', 7, 7, 'primitive', 'quantity'),
    ),
    'ObjectMetricStatus': (
        ('currentValue', 7, 7, 'primitive', 'quantity'),
        ('metricName', 7, 7, 'primitive', 'string'),
        ('target', 7, 7, 'map', 'autoscaling_v2alpha1.CrossVersionObjectReference'),
    ),
    'PodsMetricSource': (
        ('metricName', 7, 7, 'primitive', 'string'),
        ('targetAverageValue', 7, 7, 'primitive', 'quantity'),
    ),
    'PodsMetricStatus': (
        ('currentAverageValue', 7, 7, 'primitive', 'quantity'),
        ('metricName', 7, 7, 'primitive', 'string'),
    ),
    'ResourceMetricSource': (
        ('name', 7, 7, 'primitive', 'string'),
        ('targetAverageUtilization', 7, 7, 'primitive', 'integer'),
        ('targetAverageValue', 7, 7, 'primitive', 'quantity'),
    ),
    'ResourceMetricStatus': (
        ('currentAverageUtilization', 7, 7, 'primitive', 'integer'),
        ('currentAverageValue', 7, 7, 'primitive', 'quantity'),
        ('name', 7, 7, 'primitive', 'string'),
    ),
}
