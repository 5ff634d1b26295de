"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'ContainerResourceMetricSource': (
        ('container', 23, None, 'primitive', 'string'),
        ('name', 23, None, 'primitive', 'string'),
        ('target', 23, None, 'map', 'autoscaling_v2.MetricTarget'),
    ),
    'ContainerResourceMetricStatus': (
        ('container', 23, None, 'primitive', 'string'),
        ('current', 23, None, 'map', 'autoscaling_v2.MetricValueStatus'),
        ('name', 23, None, 'primitive', 'string'),
    ),
    'CrossVersionObjectReference': (
        ('apiVersion', 23, None, 'primitive', 'string'),
        ('kind', 23, None, 'primitive', 'string'),
        ('name', 23, None, 'primitive', 'string'),
    ),
    'ExternalMetricSource': (
        ('metric', 23, None, 'map', 'autoscaling_v2.MetricIdentifier'),
        ('target', 23, None, 'map', 'autoscaling_v2.MetricTarget'),
    ),
    'ExternalMetricStatus': (
        ('current', 23, None, 'map', 'autoscaling_v2.MetricValueStatus'),
        ('metric', 23, None, 'map', 'autoscaling_v2.MetricIdentifier'),
    ),
    'HPAScalingPolicy': (
        ('periodSeconds', 23, None, 'primitive', 'integer'),
        ('type', 23, None, 'primitive', 'string'),
        ('value', 23, None, 'primitive', 'integer'),
    ),
    'HPAScalingRules': (
        ('policies', 23, None, 'list', 'autoscaling_v2.HPAScalingPolicy', None, None, 'atomic'),
        ('selectPolicy', 23, None, 'primitive', 'string'),
        ('stabilizationWindowSeconds', 23, None, 'primitive', 'integer'),
        ('tolerance', 33, None, 'primitive', 'quantity'),
    ),
    'HorizontalPodAutoscaler': (
        ('apiVersion', 23, None, 'primitive', 'string'),
        ('kind', 23, None, 'primitive', 'string'),
        ('metadata', 23, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 23, None, 'map', 'autoscaling_v2.HorizontalPodAutoscalerSpec'),
        ('status', 23, None, 'map', 'autoscaling_v2.HorizontalPodAutoscalerStatus'),
    ),
    'HorizontalPodAutoscalerBehavior': (
        ('scaleDown', 23, None, 'map', 'autoscaling_v2.HPAScalingRules'),
        ('scaleUp', 23, None, 'map', 'autoscaling_v2.HPAScalingRules'),
    ),
    'HorizontalPodAutoscalerCondition': (
        ('lastTransitionTime', 23, None, 'primitive', 'string'),
        ('message', 23, None, 'primitive', 'string'),
        ('observedGeneration', 37, None, 'primitive', 'integer'),
        ('reason', 23, None, 'primitive', 'string'),
        ('status', 23, None, 'primitive', 'string'),
        ('type', 23, None, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'HorizontalPodAutoscalerList': (
        ('apiVersion', 23, None, 'primitive', 'string'),
        ('items', 23, None, 'list', 'autoscaling_v2.HorizontalPodAutoscaler', None, None, 'atomic', None, 1),
        ('kind', 23, None, 'primitive', 'string'),
        ('metadata', 23, None, 'map', 'meta_v1.ListMeta'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('behavior', 23, None, 'map', 'autoscaling_v2.HorizontalPodAutoscalerBehavior'),
        ('maxReplicas', 23, None, 'primitive', 'integer'),
        ('metrics', 23, None, 'list', 'autoscaling_v2.MetricSpec', None, None, 'atomic'),
        ('minReplicas', 23, None, 'primitive', 'integer'),
        ('scaleTargetRef', 23, None, 'map', 'autoscaling_v2.CrossVersionObjectReference'),
    ),
    'HorizontalPodAutoscalerStatus': (
        ('conditions', 23, None, 'list', 'autoscaling_v2.HorizontalPodAutoscalerCondition', 'merge', 'type', 'map', ('type',)),
        ('currentMetrics', 23, None, 'list', 'autoscaling_v2.MetricStatus', None, None, 'atomic'),
        ('currentReplicas', 23, None, 'primitive', 'integer'),
        ('desiredReplicas', 23, None, 'primitive', 'integer'),
        ('lastScaleTime', 23, None, 'primitive', 'string'),
        ('observedGeneration', 23, None, 'primitive', 'integer'),
    ),
    'MetricIdentifier': (
        ('name', 23, None, 'primitive', 'string'),
        ('selector', 23, None, 'map', 'meta_v1.LabelSelector', None, None, None, None, None, 'atomic'),
    ),
    'MetricSpec': (
        ('containerResource', 23, None, 'map', 'autoscaling_v2.ContainerResourceMetricSource'),
        ('external', 23, None, 'map', 'autoscaling_v2.ExternalMetricSource'),
        ('object', 23, None, 'map', 'autoscaling_v2.ObjectMetricSource'),
        ('pods', 23, None, 'map', 'autoscaling_v2.PodsMetricSource'),
        ('resource', 23, None, 'map', 'autoscaling_v2.ResourceMetricSource'),
        ('type', 23, None, 'primitive', 'string'),
    ),
    'MetricStatus': (
        ('containerResource', 23, None, 'map', 'autoscaling_v2.ContainerResourceMetricStatus'),
        ('external', 23, None, 'map', 'autoscaling_v2.ExternalMetricStatus'),
        ('object', 23, None, 'map', 'autoscaling_v2.ObjectMetricStatus'),
        ('pods', 23, None, 'map', 'autoscaling_v2.PodsMetricStatus'),
        ('resource', 23, None, 'map', 'autoscaling_v2.ResourceMetricStatus'),
        ('type', 23, None, 'primitive', 'string'),
    ),
    'MetricTarget': (
        ('averageUtilization', 23, None, 'primitive', 'integer'),
        ('averageValue', 23, None, 'primitive', 'quantity'),
        ('type', 23, None, 'primitive', 'string'),
        ('value', 23, None, 'primitive', 'quantity'),
    ),
    'MetricValueStatus': (
        ('averageUtilization', 23, None, 'primitive', 'integer'),
        ('averageValue', 23, None, 'primitive', 'quantity'),
        ('value', 23, None, 'primitive', 'quantity'),
    ),
    'ObjectMetricSource': (
        ('describedObject', 23, None, 'map', 'autoscaling_v2.CrossVersionObjectReference'),
        ('metric', 23, None, 'map', 'autoscaling_v2.MetricIdentifier'),
        ('target', 23, None, 'map', 'autoscaling_v2.MetricTarget'),
    ),
    'ObjectMetricStatus': (
        ('current', 23, None, 'map', 'autoscaling_v2.MetricValueStatus'),
        ('describedObject', 23, None, 'map', 'autoscaling_v2.CrossVersionObjectReference'),
        ('metric', 23, None, 'map', 'autoscaling_v2.MetricIdentifier'),
    ),
    'PodsMetricSource': (
        ('metric', 23, None, 'map', 'autoscaling_v2.MetricIdentifier'),
        ('target', 23, None, 'map', 'autoscaling_v2.MetricTarget'),
    ),
    'PodsMetricStatus': (
        ('current', 23, None, 'map', 'autoscaling_v2.MetricValueStatus'),
        ('metric', 23, None, 'map', 'autoscaling_v2.MetricIdentifier'),
    ),
    'ResourceMetricSource': (
        ('name', 23, None, 'primitive', 'string'),
        ('target', 23, None, 'map', 'autoscaling_v2.MetricTarget'),
    ),
    'ResourceMetricStatus': (
        ('current', 23, None, 'map', 'autoscaling_v2.MetricValueStatus'),
        ('name', 23, None, 'primitive', 'string'),
    ),
}
