"""Many independent questions, on as many workers as there are; the answers do not depend on how many.

`sweep(ask, questions)` yields `ask(question)` for each question, in their order:

>>> list(sweep(abs, [-3, 1, -2]))
[3, 1, 2]

`n_jobs=2` asks two processes, `n_jobs=None` whatever `joblib.parallel_config` says: `parallel_config(backend="dask")`,
within which a Dask client is there, spreads the questions over its cluster. `ask` and the questions must pickle, and
the answer must follow from the question alone: budgets that count work, seeds that belong to the question.

With a store the questions are `Question`s, or have one each, `named(question)`; `ask` returns an `Answer` of plain
data. What the store holds is not asked again. What is yielded is what the store holds, as `Kept`:

>>> from lossmith.sweeping.questions import Answer, Question
>>> from lossmith.sweeping.store import Store
>>> def square(question):
...     return Answer(question.inputs ** 2, {"proof": f"{question.inputs} squared"})
>>> asked = [Question("square", x, meaning=1) for x in (2, 3, 2)]
>>> with Store() as store:                                    # Store("squares.sqlite"): goes on where it was
...     kept = list(sweep(square, asked, store=store))
...     len(store), [each.value for each in kept], store.certificate(kept[0].certificates["proof"])
(2, [4, 9, 4], '2 squared')

Where answers are objects, a `Form` says how they are written as plain data and read again, and `asked_once` tells the
same whether there is a store or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import Any, Generic, TypeAlias, TypeVar, overload

from lossmith.errors import BadInput, NotAnswered
from lossmith.sweeping.questions import Answer, Kept, Question
from lossmith.sweeping.store import Store, damaged
from lossmith.sweeping.workers import answers

Q = TypeVar("Q")
A = TypeVar("A")
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Form(Generic[Q, A]):
    """How questions are `named` for a store, how an answer is `written` for it, and how it is `read` again."""

    named: Callable[[Q], Question]
    written: Callable[[A], Answer]
    read: Callable[[Q, Answer], A]


def asked_once(
    ask: Callable[[Q], A],
    questions: Iterable[Q],
    form: Form[Q, A],
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Iterator[A]:
    """What `ask` answers, in the order of the questions; what a store holds is read, not asked.

    >>> from fractions import Fraction
    >>> form = Form(lambda x: Question("half", x), lambda half: Answer(str(half)), lambda x, kept: Fraction(kept.value))
    >>> with Store() as store:
    ...     first = list(asked_once(lambda x: Fraction(x, 2), [3, 4], form, store=store))
    ...     first == list(asked_once(None, [3, 4], form, store=store)), first[0]
    (True, Fraction(3, 2))
    """
    if store is None:
        return sweep(ask, questions, n_jobs=n_jobs, progress=progress)
    asked = list(questions)
    write = partial(_written, ask, form.written)
    kept = sweep(write, asked, n_jobs=n_jobs, store=store, named=form.named, progress=progress)
    return (form.read(each, _with_texts(answer, store)) for each, answer in zip(asked, kept, strict=True))


def _written(ask: Callable[[Q], A], written: Callable[[A], Answer], question: Q) -> Answer:
    return written(ask(question))


def _with_texts(kept: Kept, store: Store) -> Answer:
    """What was written, without those certificates of which only the hash was kept."""
    texts = {role: store.certificate(sha256) for role, sha256 in kept.certificates.items()}
    return Answer(kept.value, {role: text for role, text in texts.items() if text is not None})


@overload
def sweep(
    ask: Callable[[Q], A],
    questions: Iterable[Q],
    *,
    n_jobs: int | None = 1,
    store: None = None,
    progress: Progress | None = None,
) -> Iterator[A]: ...


@overload
def sweep(
    ask: Callable[[Q], Answer],
    questions: Iterable[Q],
    *,
    n_jobs: int | None = 1,
    store: Store,
    named: Callable[[Q], Question] | None = None,
    progress: Progress | None = None,
) -> Iterator[Kept]: ...


def sweep(
    ask: Callable[[Q], Any],
    questions: Iterable[Q],
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
    named: Callable[[Q], Question] | None = None,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """The answers to questions, in their order: each as soon as it and those before it are there.

    With a `store` all questions are answered before the first answer is yielded, so that nothing waits to be written.
    `progress(done, total)` is over the whole sweep, what the store held already included. A worker that dies is
    replaced, and what it was asked is asked once more; a question that ends two workers ends the sweep, by name.
    """
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or not n_jobs):
        raise BadInput(f"n_jobs is {n_jobs!r}; give 1, 2, … processes, -1 for all processors, or None")
    asked = list(questions)
    if store is None:
        return _in_order(ask, asked, n_jobs, progress)
    if not isinstance(store, Store):
        raise BadInput(f"store is {store!r}, no store; write with lossmith.sweeping.Store({str(store)!r}) as store: …")
    names: list[Any] = [named(each) for each in asked] if named is not None else asked
    for each in names:
        if not isinstance(each, Question):
            raise BadInput(f"a store takes a lossmith.sweeping.Question, not {each!r}; give named=, which makes one")
    return _from_store(ask, asked, names, n_jobs, store, progress)


def _in_order(ask: Callable[[Q], A], questions: list[Q], n_jobs: int | None, progress: Progress | None) -> Iterator[A]:
    early: dict[int, A] = {}
    due = 0
    for done, (i, answer) in enumerate(answers(ask, questions, n_jobs), start=1):
        early[i] = answer
        if progress is not None:
            progress(done, len(questions))
        while due in early:
            yield early.pop(due)
            due += 1


def _from_store(
    ask: Callable[[Q], Answer],
    questions: list[Q],
    names: list[Question],
    n_jobs: int | None,
    store: Store,
    progress: Progress | None,
) -> Iterator[Kept]:
    """Ask what the store does not hold, each question once; then yield what it holds."""
    first = {name.key: i for i, name in reversed(list(enumerate(names)))}
    known = store.known(first)
    new = sorted(i for key, i in first.items() if key not in known)
    done = len(known)
    if progress is not None:
        progress(done, len(first))
    try:
        for i, answer in answers(ask, [questions[i] for i in new], n_jobs):
            store.keep(names[new[i]], answer)
            done += 1
            if progress is not None:
                progress(done, len(first))
    except NotAnswered as error:
        where = "" if store.path is None else f"; {store.path!r} holds {done} of {len(first)} answers, and the same "
        raise NotAnswered(f"{error}{where and where + 'command goes on from there'}") from None
    finally:
        store.flush()
    return (_recalled(store, name) for name in names)


def _recalled(store: Store, name: Question) -> Kept:
    kept = store.recall(name)
    if kept is None:  # it was there, or was written
        raise damaged(store.path)
    return kept
