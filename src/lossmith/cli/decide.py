"""lossmith decide: decide every case of a table of probabilities by the least expected cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from lossmith.cli.options import LOSS_EPILOG, format_wanted, loss_argument, output_option, progress_bar, reading
from lossmith.cli.printing import say_or_write, tell_gains
from lossmith.errors import BadInput
from lossmith.losses.cases import Cases, read_cases
from lossmith.losses.delimited import cell, verbatim
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss

_FORMATS = {"csv": ".csv", "tsv": ".tsv", "txt": ".txt", "json": ".json"}
_EPILOG = (
    "PROBABILITIES is a .csv, .tsv or .xlsx file, or -, with a column for each label, by its name, in any order."
    f"\n\n{LOSS_EPILOG}"
)


@click.command("decide", short_help="Turn probabilities into decisions of least cost.", epilog=_EPILOG)
@loss_argument
@click.argument("probabilities")
@output_option
@click.option("--full", is_flag=True, help="Also tell what each decision would cost.")
@click.option("--normalize", is_flag=True, help="Divide every row of probabilities by its sum.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def decide_command(
    loss: Loss, probabilities: str, output: str | None, full: bool, normalize: bool, as_json: bool
) -> None:
    """Decide every case of a table of probabilities by the least expected cost.

    Columns that are no label, such as a number of the case, are kept.

    \b
    lossmith decide costs.csv probabilities.csv
    lossmith decide costs.csv probabilities.csv --full -o decisions.csv
    """
    wanted = format_wanted("json" if as_json else None, output, _FORMATS, "csv")
    matrix = loss.matrix()
    with reading(probabilities):
        cases = read_cases(probabilities, matrix.labels, normalize)
    with progress_bar(f"deciding by {matrix.name}"):
        risks = cases.P @ matrix.to_numpy()
        chosen = matrix.best(cases.P).tolist()
        rows = list(_decided(matrix, cases, risks.tolist(), chosen, full))
    tell_gains(beside=True)
    if wanted == "json":
        text = json.dumps({"loss": matrix.name, "cases": rows}, indent=1, ensure_ascii=False) + "\n"
    else:
        text = _table(matrix, cases, rows, full, "\t" if wanted == "tsv" else ",")
    say_or_write(text, output)


def _decided(
    matrix: LossMatrix, cases: Cases, risks: list[list[float]], chosen: list[int], full: bool
) -> Iterator[dict[str, Any]]:
    """Each case as plain data."""
    for others, costs, t in zip(cases.others, risks, chosen, strict=True):
        row: dict[str, Any] = {"kept": dict(zip(cases.kept, others, strict=True))}
        row |= {"decision": matrix.predictions[t], "expected_cost": costs[t]}
        yield row | ({"expected_costs": costs} if full else {})


def _table(matrix: LossMatrix, cases: Cases, rows: list[dict[str, Any]], full: bool, delimiter: str) -> str:
    """The same as a table: what was kept, the decision, its cost, and if asked for the cost of each."""
    added = ["decision", "expected_cost", *(f"cost of {t}" for t in matrix.predictions if full)]
    taken = next((name for name in added if name in cases.kept), None)
    if taken is not None:
        raise BadInput(f"the table of probabilities has a column {taken!r} already; rename it")
    lines = [[*map(verbatim, cases.kept), *map(cell, added)]]
    for row in rows:
        costs = [row["expected_cost"], *row.get("expected_costs", ())]
        lines.append([*map(verbatim, row["kept"].values()), cell(row["decision"]), *(f"{x:.10g}" for x in costs)])
    return "".join(delimiter.join(line) + "\n" for line in lines)
