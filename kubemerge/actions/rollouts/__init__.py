"""Rollouts as far as objects show them: restarting, pausing and resuming, their status and their history."""
