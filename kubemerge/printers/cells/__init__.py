"""What the cells of kubectl's tables say of one object: functions, the `shared` ones and those of a few kinds."""
