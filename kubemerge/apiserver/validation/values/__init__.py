"""Validation of shared value types: addresses, quantities, schedules, tolerations; ports and ranges in `formats`."""
