"""Validation of shared value types: addresses, ports, quantities, tolerations, schedules."""
