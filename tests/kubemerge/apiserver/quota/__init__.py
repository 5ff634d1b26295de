"""ResourceQuota."""
