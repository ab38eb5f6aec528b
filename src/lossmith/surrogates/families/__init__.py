"""The families of surrogates: one file each. `lossmith.surrogates` has a line for each."""
