"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'FlowSchema': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'LimitResponse': (
        ('type', 36, None, None, 'type', '~string'),
        ('type', 36, None, 37, 'required'),
        ('type', 36, 36, None, 'discriminator'),
        ('type', 37, None, 37, 'modeDiscriminator'),
        ('queuing', 36, None, None, 'type', '*flowcontrol_v1.QueuingConfiguration'),
        ('queuing', 36, None, 37, 'optional'),
        ('queuing', 36, 36, None, 'member', 'Queue', ('required',)),
        ('queuing', 36, 36, None, 'member', 'Reject', ('forbidden',)),
        ('queuing', 37, None, 37, 'ifMode', 'Queue', ('required',)),
    ),
    'LimitedPriorityLevelConfiguration': (
        ('limitResponse', 36, None, None, 'type', 'flowcontrol_v1.LimitResponse'),
    ),
    'PriorityLevelConfiguration': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'flowcontrol_v1.PriorityLevelConfigurationSpec'),
    ),
    'PriorityLevelConfigurationSpec': (
        ('type', 36, None, None, 'type', '~string'),
        ('type', 36, None, 37, 'required'),
        ('type', 36, 36, None, 'discriminator'),
        ('type', 37, None, 37, 'modeDiscriminator'),
        ('limited', 36, None, None, 'type', '*flowcontrol_v1.LimitedPriorityLevelConfiguration'),
        ('limited', 36, None, 37, 'optional'),
        ('limited', 36, 36, None, 'member', 'Limited', ('required',)),
        ('limited', 36, 36, None, 'member', 'Exempt', ('forbidden',)),
        ('limited', 37, None, 37, 'ifMode', 'Limited', ('required',)),
        ('exempt', 36, None, None, 'type', '*flowcontrol_v1.ExemptPriorityLevelConfiguration'),
        ('exempt', 36, None, 37, 'optional'),
        ('exempt', 36, 36, None, 'member', 'Exempt', ('optional',)),
        ('exempt', 36, 36, None, 'member', 'Limited', ('forbidden',)),
        ('exempt', 37, None, 37, 'ifMode', 'Exempt', ('optional',)),
    ),
}
