"""A page on which costs are played with: `lossmith explore costs.csv` serves it to this machine alone.

The page (`page/`, plain ES modules) draws; what it draws is computed and proved here. `state` reads what was typed,
`answers` has a function for each question of the page, `varying` those on one cost that moves, `workers` runs them in
processes of their own that can be stopped, `server` lets in who has the token, and nobody else.
"""
