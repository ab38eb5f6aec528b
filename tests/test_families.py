"""Members of families named in words, as on the command line."""

from __future__ import annotations

import pickle
import re

import pytest

from lossmith import LossMatrix, PolyhedralSurrogate
from lossmith.answers.cataloguing import catalogue, formula
from lossmith.errors import BadFamily, BadInput, TooLarge, UnknownName
from lossmith.families import at_least, family, member, rational_where, usage
from lossmith.losses import CATALOGUE, abstain, ndcg, ordinal, reject_costs, zero_one
from lossmith.losses.named import loss_named
from lossmith.surrogates import crammer_singer, softmax


@pytest.mark.parametrize(
    "text",
    [
        "abstain:n=4,cost=1/3",
        "abstain:cost=1/3,n=4",
        " abstain : n = 4 , cost = 1/3 ",
        "abstain:n=4,cost=1/3,",
        "abstain:n=4,,cost=1/3, ",
    ],
)
def test_order_spaces_and_stray_commas_do_not_matter(text):
    assert member(text, CATALOGUE) == abstain(4, "1/3")
    assert loss_named(text) == abstain(4, "1/3")


@pytest.mark.parametrize("name", ["zero-one", "zero_one", " zero-one "])
def test_dashes_and_underscores_mean_the_same(name):
    assert member(f"{name}:n=3", CATALOGUE) == zero_one(3)


def test_dashes_and_underscores_mean_the_same_in_parameters():
    @family(cite="", small=(), size=lambda n_labels: (n_labels, n_labels))
    def square(n_labels: int) -> int:
        return n_labels**2

    assert member("square:n-labels=3", [square]) == member("square:n_labels=3", [square]) == 9


def test_numbers_in_words_are_exact():
    assert member("abstain:n=2,cost=0.1", CATALOGUE).entries[0][2] * 10 == 1
    assert member("ordinal:n=3,power=2", CATALOGUE) == ordinal(3, power=2)


@pytest.mark.parametrize("text", ["costs=1/2,1/3,1/4", "costs=(1/2, 1/3, 1/4)", "costs=1/2 1/3 1/4,"])
def test_lists_have_commas_or_blanks(text):
    loss = loss_named(f"reject-costs:{text}")
    assert loss.entries == reject_costs(["1/2", "1/3", "1/4"]).entries
    assert loss_named("zero-one:labels=b,a,n=2").labels == ("b", "a")
    with pytest.raises(BadInput, match=r"\b1\b.*\bcosts\b.*'5 1'"):
        loss_named("reject-costs:costs=0,5 1,5")


@pytest.mark.parametrize(
    ("text", "error", "quoted"),
    [
        ("zero-on:n=3", UnknownName, ("'zero-on'", "'zero-one'")),
        ("Zero-One:n=3", UnknownName, ("'zero-one'",)),
        ("prices", UnknownName, ("'prices'", "'zero-one', ")),
        ("", UnknownName, ("''",)),
        (":n=3", UnknownName, ("''",)),
        ("two\nlines", UnknownName, (r"'two\nlines'",)),
        ("ordinal:n=3,pwer=2", UnknownName, ("'pwer'", "'power'", "ordinal:n=…,power=1")),
        ("zero-one:m=3", UnknownName, ("'zero-one'", "'m'", "'n', 'labels'", "zero-one:n=…")),
        ("zero-one", BadInput, ("'zero-one'", "zero-one:n=…")),
        ("zero-one:", BadInput, ("'zero-one:'", "zero-one:n=…")),
        ("top-k:", BadInput, ("'top-k:'", "top-k:n=…,k=…")),
        ("abstain:cost=1/2", BadInput, ("'abstain:cost=1/2'", "abstain:n=…,cost=1/2")),
        ("zero-one:3", BadInput, ("'3'", "zero-one:n=…")),
        ("zero-one:n", BadInput, ("'n'",)),
        ("zero-one:n=3,n=4", BadInput, ("'zero-one:n=3,n=4'", "zero-one:n=…")),
        ("zero-one:n=3,n=3", BadInput, ("'zero-one:n=3,n=3'",)),
        ("zero-one:n=", BadInput, ("n", "''")),
        ("zero-one:n=3.0", BadInput, ("n", "'3.0'")),
        ("zero-one:n=x", BadInput, ("n", "'x'")),
        ("zero-one:n=3;k=2", BadInput, ("n", "'3;k=2'")),
        ("zero-one:n=3,4", BadInput, ("n", "'3,4'")),
        ("zero-one:n=1", BadInput, ("n", "1", "2")),
        ("top-k:n=3,k=3", BadInput, ("k", "n = 3")),
        ("abstain:n=3,cost=", BadInput, ("cost",)),
        ("abstain:n=3,cost=-1", BadInput, ("cost", "-1")),
        ("cost-sensitive-binary:c=abc", BadInput, ("c", "'abc'")),
        ("hamming:r=40", TooLarge, ("hamming",)),
        ("hierarchical:tree=none.json", BadInput, ("none.json",)),
        ("hierarchical:tree=none.json,labels=twigs", BadInput, ("none.json",)),
    ],
)
def test_words_that_make_no_sense_are_refused_on_one_line(text, error, quoted):
    for ask in (lambda: member(text, CATALOGUE), lambda: loss_named(text)):
        with pytest.raises(error) as refusal:
            ask()
        for part in quoted:
            assert part in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_the_usage_is_a_word_that_one_can_complete():
    assert [usage(each) for each in CATALOGUE[:2]] == ["zero-one:n=…", "ordinal:n=…,power=1"]
    assert member(usage(ordinal).replace("…", "4"), CATALOGUE) == ordinal(4)


# Words and files.


def test_a_word_with_the_ending_of_a_table_is_a_file(tmp_path):
    loss = LossMatrix([[0, 1], [2, 0]], labels=["a", "b"])
    for name in ("costs.csv", "costs.TSV", "costs.txt", "with:colon.csv"):
        loss.to_csv(tmp_path / name)
        assert loss_named(str(tmp_path / name)) == loss
    loss.to_json(tmp_path / "costs.json")
    assert loss_named(str(tmp_path / "costs.json")) == loss


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("none.csv", "none.csv"),
        ("none.json", "none.json"),
        ("none.xlsx", "none.xlsx"),
        ("none.pdf", "'none.pdf'"),
        ("x" * 5000, "xxx"),
        ("null\0byte", r"'null\x00byte'"),
    ],
    ids=lambda value: value[:20].replace("\0", ""),
)
def test_a_file_that_is_not_there_is_refused(text, quoted):
    with pytest.raises(BadInput) as refusal:
        loss_named(text)
    assert quoted in str(refusal.value)


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "costs.npy").write_bytes(b"")
    for path in (tmp_path / "costs.npy", tmp_path):
        with pytest.raises(UnknownName, match=r"\.csv, \.tsv, \.txt, \.json .* \.xlsx"):
            loss_named(str(path))


# Parameters.


def test_sizes_are_whole_numbers_in_bounds():
    assert at_least("n", 2, 2) == 2
    assert type(at_least("n", 3, 2)) is int
    for value in (1, True, 2.0, "2", None, [2]):
        with pytest.raises(BadInput, match=rf"^n\b.*{re.escape(repr(value))}"):
            at_least("n", value, 2)  # type: ignore[arg-type]
    with pytest.raises(TooLarge, match=r"^n\b.*1,000,000.*100,000"):
        at_least("n", 10**6, 2)


def test_rational_parameters_are_exact_and_in_bounds():
    assert rational_where("c", 0.1, lambda c: c > 0, "positive") * 10 == 1
    with pytest.raises(BadInput, match=r"^c\b.*-1/2.*positive$"):
        rational_where("c", "-1/2", lambda c: c > 0, "positive")
    with pytest.raises(BadInput, match=r"^c\b.*'x'"):
        rational_where("c", "x", lambda c: c > 0, "positive")


def test_a_family_is_built_only_if_it_fits():
    built = []

    @family(cite="", small=(), size=lambda n: (n, n))
    def recorded(n: int) -> int:
        built.append(n)
        return n

    assert recorded(10) == 10
    with pytest.raises(TooLarge, match=r"^recorded .*6,000 × 6,000 .*30,000,000"):
        recorded(6000)
    assert built == [10]
    assert recorded.size(6000) == (6000, 6000)


# Members.


def test_a_member_knows_its_family_which_is_no_part_of_it():
    own = LossMatrix(zero_one(3).entries, name="zero_one(n=3)")
    assert zero_one(3).made_by is zero_one
    assert own.made_by is None
    assert (own, hash(own), repr(own)) == (zero_one(3), hash(zero_one(3)), repr(zero_one(3)))
    assert softmax(3).weighted([1, 2, 3]).made_by is softmax
    assert pickle.loads(pickle.dumps(ndcg(2, discount=lambda j: 3 - j))).made_by is ndcg


def test_a_name_does_not_make_a_family():
    impostor = PolyhedralSurrogate(crammer_singer(3).terms, 3, name="crammer_singer(n=3)")
    assert impostor == crammer_singer(3)
    assert formula(crammer_singer(3)) == "(1 + max_{j≠y} u_j − u_y)₊ on R^n"
    assert formula(impostor) == ""


def test_types_are_read_from_the_annotations():
    types = {name: p.annotation for name, p in ordinal.parameters.items() if name != "labels"}
    assert types == {"n": int, "power": int}
    assert ordinal.makes is LossMatrix

    @family(cite="", small=(), size=lambda n: (n, n))
    def lost(n: Unheard) -> int:  # type: ignore[name-defined]  # noqa: F821
        return n

    with pytest.raises(BadFamily, match=r"\blost\b.*'Unheard'"):
        member("lost:n=3", [lost])


def test_what_a_family_does_not_declare_is_an_error_where_it_is_needed():
    @family(cite="", small=(), size=lambda n: (n, n))
    def bare(n: int) -> LossMatrix:
        return zero_one(n)

    for rows, columns in (([bare], [softmax]), ([zero_one], [bare])):
        with pytest.raises(BadFamily, match=r"^bare "):
            catalogue(rows, columns)
