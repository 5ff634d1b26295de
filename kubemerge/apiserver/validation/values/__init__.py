"""Validation of values that many kinds share: addresses, ports, quantities, tolerations, schedules."""
