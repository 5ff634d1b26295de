"""What each verb asks of the cluster, and how it answers."""
