"""Who writes to the embedded cluster: it has one user, who may do everything."""

NAME = "admin"
GROUPS = ("system:masters", "system:authenticated")
