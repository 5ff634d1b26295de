"""Objects that kill or block the process that checks them."""
