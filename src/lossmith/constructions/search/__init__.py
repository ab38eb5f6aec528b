"""The search for surrogates in few dimensions: cells, configurations of points, a linear program for each, the run."""
