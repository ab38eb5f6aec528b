"""The families of losses whose labels and predictions are sets of tags: one file each."""
