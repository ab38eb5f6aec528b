"""What the families of losses on sets of tags share."""
