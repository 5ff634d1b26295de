"""Table cells: functions from an object to a text, shared ones and those of a few kinds."""
