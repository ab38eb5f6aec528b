"""What is printed and written: names, sums, LaTeX, pages and files."""
