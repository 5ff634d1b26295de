"""Validation of PodSpecs, for Pods and Pod templates.

    spec        everything else, and the order of all checks
    containers  containers: names, images, ports (containerPort, hostPort), resize and restart policies
    handlers    probes and lifecycle hooks
    volumes     volumes and their sources; `files` for the files in them, `mounts` for mounts in containers
    resources   requests and limits
    scheduling  affinity, tolerations, topology spread constraints
    security    security contexts

Ranges and formats, such as those of port numbers, are in `validation/values/formats.py`. `environment` and `fields`
validate environment variables, and `go_types` and `internal_form` print values as the server does.
"""
