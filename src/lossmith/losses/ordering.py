"""Which label a probability belongs to: said by names, or beyond doubt; never guessed.

A matrix has its rows in the order in which a person wrote them; the columns of `predict_proba` are sorted. So numbers
without names are taken in the order of the rows only where sorting the labels changes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, BadNumber, UnknownName, nearest
from lossmith.exact.rational import RationalLike, as_rational, quoted
from lossmith.geometry.simplex import as_distribution
from lossmith.losses.reading import Name, plain
from lossmith.losses.trained_weights import trained_weights, without_weights

if TYPE_CHECKING:
    pass


def is_sorted(labels: Sequence[Name]) -> bool:
    """Whether no other order is possible: 0 … n−1, or sorted as text and, where all are numerals, also as numbers.

    >>> is_sorted(("ham", "spam")), is_sorted(("spam", "ham")), is_sorted((9, 10))
    (True, False, False)
    """
    if list(labels) == list(range(len(labels))):
        return True
    texts = [str(label) for label in labels]
    try:
        numbers = [as_rational(text) for text in texts]
    except BadNumber:
        numbers = []
    return texts == sorted(texts) and numbers == sorted(numbers)


def told_by_model(model: Any, X: object) -> tuple[Any, list[Name]]:
    """The probabilities that a fitted classifier predicts for the cases X, and the classes of their columns."""
    if X is None:
        raise BadInput(f"{quoted(model)} is a model; give the cases too, decide(model, X)")
    if not hasattr(model, "predict_proba"):
        raise BadInput(
            f"{quoted(model)} has no predict_proba; wrap it in CalibratedClassifierCV, or decide by its scores with "
            f"lm.check(surrogate, loss)"
        )
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise BadInput(f"{quoted(model)} has no classes_; fit it first, or write decide(P, classes=…)")
    if any(getattr(each, "ndim", 0) for each in classes):
        raise BadInput(
            f"{quoted(model)} predicts several outputs; print(lm.which(loss, model)) tells how to decide with them, or "
            f"give the probabilities of the labels, decide(P, classes=…)"
        )
    return _without_known_weights(model, model.predict_proba(X), list(classes)), list(classes)


def _without_known_weights(model: Any, P: Any, classes: list[Name]) -> Any:
    """The probabilities without the class weights that the model was trained with, or a warning."""
    found = trained_weights(model)
    if found is None:
        return P
    weights = found.by_class(classes, None)
    if weights is not None:
        return without_weights(P, weights)
    warnings.warn(
        f"{found.said}: its probabilities are those of reweighted classes, which is not what expected losses need; "
        f"train without, or fit lm.learn.SurrogateClassifier(loss, estimator=…), which divides the weights out",
        stacklevel=5,
    )
    return P


def rows_of_columns(P: Any, labels: Sequence[Name], classes: Iterable[Name] | None) -> list[int]:
    """The row of the loss that each column of P belongs to, by `classes` or by the names that a data frame brings."""
    names = _names(P, labels) if classes is None else [plain(each) for each in classes]
    told = columns_named(P)
    if classes is not None and told is not None and set(told) == set(labels) and told != names:
        raise BadInput(f"P has the columns {listed(told)}, but classes says {listed(names or ())}; leave out classes")
    if names is not None:
        return rows_named(names, labels)
    if not is_sorted(labels):
        raise BadInput(
            f"P does not say which column is which, and sorting the labels {listed(labels)} changes their order; write "
            f"decide(model, X), or decide(P, classes=model.classes_), or classes=loss.labels if it is that of the rows"
        )
    return list(range(len(labels)))


def rows_named(names: Sequence[Name], labels: Sequence[Name]) -> list[int]:
    """The row of each name, where every label has one."""
    rows = [index(labels, each, "label") for each in names]
    if len(set(rows)) < len(rows):
        raise BadInput(f"the columns are for {listed(names)}; name each of the labels {listed(labels)} once")
    missing = [label for y, label in enumerate(labels) if y not in rows]
    if missing:
        raise BadInput(
            f"no column is for the label {missing[0]!r}, only for {listed(names)}: how likely it is was not learned; "
            f"if it cannot be true, decide with loss.restrict(labels=model.classes_)"
        )
    return rows


def distribution(p: Any, labels: Sequence[Name]) -> tuple[Fraction, ...]:
    """Read a distribution exactly: a list or tuple in the order of the rows, an array or a series by the rule above.

    A mapping names the labels, and those that it leaves out are impossible.

    >>> [str(x) for x in distribution({"ill": "1/4", "well": "3/4"}, ("well", "dead", "ill"))]
    ['3/4', '0', '1/4']
    """
    if isinstance(p, Mapping):
        named = {index(labels, plain(each), "label"): x for each, x in p.items()}
        return as_distribution([named.get(y, 0) for y in range(len(labels))], len(labels))
    if not hasattr(p, "dtype"):
        return as_distribution(p, len(labels))
    if getattr(p, "ndim", 1) != 1:
        raise BadInput(f"p has shape {tuple(p.shape)}; give one distribution")
    if len(p) != len(labels):
        return as_distribution(list(p), len(labels))
    names = _names(p, labels)
    if names is None and not is_sorted(labels):
        raise BadInput(
            f"p does not say which entry is which, and sorting the labels {listed(labels)} changes their order; write "
            f"tuple(p) if it is that of the rows, or give a series with the labels as its index"
        )
    rows = range(len(labels)) if names is None else rows_named(names, labels)
    values = as_distribution(list(p), len(labels))
    return tuple(value for _, value in sorted(zip(rows, values, strict=True)))


def per_label(
    values: Sequence[RationalLike] | Mapping[Any, RationalLike], labels: Sequence[Name], default: int, what: str
) -> list[Fraction]:
    """A number for each label: a list in the order of the rows, or a mapping or series that names some of them.

    >>> per_label({"ill": 5}, ("well", "ill"), 1, "factor")
    [Fraction(1, 1), Fraction(5, 1)]
    """
    if hasattr(values, "to_dict"):  # a series brings the names of the labels
        values = values.to_dict()
    if not isinstance(values, Mapping):
        if hasattr(values, "dtype") and not is_sorted(labels):
            raise BadInput(
                f"the {what}s do not say whose they are, and sorting the labels {listed(labels)} changes "
                f"their order; give a mapping {{label: {what}}}, or a list in the order of the rows"
            )
        values = list(values)
        if len(values) != len(labels):
            raise BadInput(f"{len(values)} {what}s were given for {len(labels)} rows; give one {what} per label")
        values = dict(zip(labels, values, strict=True))
    read = [Fraction(default)] * len(labels)
    for label, value in values.items():
        try:
            read[index(labels, label, "label")] = as_rational(value)
        except BadNumber as error:
            raise BadInput(f"the {what} of row {label!r} {error}") from None
    return read


def index(names: Sequence[Name], name: Name, what: str) -> int:
    """The place of a name; 1 and "1" are two names.

    >>> index(("ham", "spam"), "spam", "label")
    1
    """
    try:
        return names.index(name)
    except ValueError:
        same = next((f"did you mean {each!r}?" for each in names if str(each) == str(name)), None)
        raise UnknownName(f"no {what} is called {name!r}; {same or nearest(name, names)}") from None


def listed(names: Sequence[object]) -> str:
    """Quote names on one line.

    >>> listed(["a", "b"])
    "('a', 'b')"
    """
    return "(" + ", ".join(repr(name) for name in names[:6]) + (", …)" if len(names) > 6 else ")")


def columns_named(P: Any) -> list[Name] | None:
    """The names of the columns of a data frame (pyarrow: column_names), or of the entries of one row; None without.

    pandas numbers what has no name 0, 1, …: these are names only if they come in another order.
    """
    kinds = (getattr(P, name, None) for name in ("column_names", "columns", "index"))  # pyarrow, others; a series
    given = next((each for each in kinds if each is not None and not callable(each)), None)
    if given is None:  # an array, a list
        return None
    names = [plain(name) for name in given]
    return None if type(given).__name__ == "RangeIndex" and names == list(range(len(names))) else names


def _names(P: Any, labels: Sequence[Name]) -> list[Name] | None:
    """The labels of the columns of a data frame, or of one row of it; None without names."""
    names = columns_named(P)
    if names is None or set(names) == set(labels):
        return names
    raise BadInput(f"P has the columns {listed(names)} but the labels are {listed(labels)}; rename them")
