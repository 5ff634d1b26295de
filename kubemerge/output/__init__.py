"""What people and programs get to see: objects, rules in words, masked Secrets, and nothing a terminal would obey."""
