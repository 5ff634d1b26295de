"""Linting of files: one, or many in several processes, with a cache of results, and fixes.

    gate         findings from the API server in Python: rejections, dropped fields, warnings
    reports      output formats, baselines and codes
    repository   settings, suppressions, git, and YAML that is not for an API server
    definitions  CustomResourceDefinitions in the files, each parsed once
    runs         linting files with the cache
    gathering    findings across files, and the selection of reported findings
    fixing       `--fix`

Rules about client-side apply are in `engine.linter`.
"""
