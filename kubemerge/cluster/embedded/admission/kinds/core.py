"""Services, claims of volumes, ConfigMaps and Secrets."""

from __future__ import annotations

from ..checks import configs, services, updates
from .record import KindRecord, also

RECORDS = (
    KindRecord(
        group="",
        kind="Service",
        versions=("v1",),
        nulls=False,
        check=services.service,
        check_update=also(services.service, updates.service),
    ),
    KindRecord(
        group="",
        kind="PersistentVolumeClaim",
        versions=("v1",),
        nulls=False,
        check=services.claim,
        check_update=also(services.claim, updates.claim),
    ),
    KindRecord(
        group="",
        kind="Secret",
        versions=("v1",),
        nulls=False,
        check=configs.secret,
        check_update=also(configs.secret, updates.fields, configs.immutable_secret),
    ),
    KindRecord(
        group="",
        kind="ConfigMap",
        versions=("v1",),
        check=configs.config_map,
        check_update=also(configs.config_map, configs.immutable_config_map),
    ),
)
