"""The families of losses: one file each. `lossmith.losses` has a line for each."""
