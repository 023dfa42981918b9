"""The contract as agents of any language see it: each function is a sentence of docs/promises.md.

A sentence is played in a fresh society. An agent with far=True lives on another node where there is
one. Operations end as in C; those that begin_... starts are waited for later.
"""
from sentences import bounds, company, delivery, endings, reading  # noqa: F401: they fill ALL
from sentences.support import ALL  # noqa: F401
