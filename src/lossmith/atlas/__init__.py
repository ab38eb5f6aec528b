"""The atlas: every surrogate against every loss, as a site of static pages; each verdict has a name and a proof.

`members` says which losses, `statements` what is asked of them, `deciding` asks, `building` writes the pages, and
`verifying` gives every certificate of a site to the checker.
"""
