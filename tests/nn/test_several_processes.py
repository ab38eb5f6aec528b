"""Several processes with PyTorch: two of them find the gradients of one, and take its steps; the tutorial, run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lossmith as lm
from ports import free_port

pytestmark = pytest.mark.needs_torch

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "torch_distributed.md"
COMPARED = """
import numpy as np
from train_together import alone, together
if __name__ == "__main__":
    both, single = together(2, PORT, epochs=EPOCHS), alone(epochs=EPOCHS)
    for one in both.values():
        for mine, theirs in zip(one, single):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)
    print(len(both), "processes agree with one")
"""


def run(folder, *command):
    made = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert made.returncode == 0, made.stderr
    return made.stdout.splitlines()


@pytest.fixture
def folder(tmp_path):
    for name in ("train_together.py", "unequal_parts.py"):
        text = PAGE.read_text().split(f"<!-- file: {name} -->\n```python\n")[1].split("\n```")[0]
        (tmp_path / name).write_text(text.replace("29511", str(free_port())))
    return tmp_path


@pytest.mark.parametrize("name", ["crammer_singer", "softmax"])
@pytest.mark.parametrize("weight", [None, [1, 2, 5]])
def test_sums_over_parts_have_gradients_that_add_up_to_that_of_the_whole(torch, name, weight):
    """What several processes rest on, in one: the gradient of the mean, from sums over 40, 20 and no examples."""
    u = torch.randn(60, 3, generator=torch.Generator().manual_seed(0)).double()
    X, y = torch.ones(60, 1).double() * u[:, :1], torch.arange(60) % 3
    layer = torch.nn.Linear(1, 3).double()

    def gradient(criterion, rows):
        layer.zero_grad()
        criterion(layer(X[rows]) + u[rows], y[rows]).backward()
        return np.concatenate([each.grad.numpy().ravel() for each in layer.parameters()])

    surrogate = getattr(lm.surrogates, name)(3)
    share = 60 if weight is None else np.take(weight, y.numpy()).sum()
    sums = lm.nn.SurrogateLoss(surrogate, weight=weight, reduction="sum")
    together = sum(gradient(sums, rows) for rows in (slice(0, 40), slice(40, 60), slice(60, 60)))
    whole = gradient(lm.nn.SurrogateLoss(surrogate, weight=weight), slice(0, 60))
    np.testing.assert_allclose(together / share, whole, rtol=1e-11, atol=1e-13)


@pytest.mark.exhaustive
def test_two_processes_find_the_gradients_of_one(folder):
    """Of every parameter, with a hinge and with a smooth loss; parts of 30 examples, of 40 and 20, of 60 and none."""
    told = [json.loads(line) for line in run(folder, Path(__file__).with_name("two_processes.py"), str(free_port()))]

    assert [(each["way"], each["first"]) for each in told].count(("mean over all", 40)) == 4  # weighted and not
    for each in told:
        alone = flat(each["alone"])
        if (each["way"], each["first"]) == ("mean", 40):  # the smaller part counts as much as the larger
            expected = (flat(each["parts"][0]) + flat(each["parts"][1])) / 2
            assert abs(expected - alone).max() > 1e-3
        else:
            expected = alone
        for found in each["both"]:
            np.testing.assert_allclose(flat(found), expected, rtol=1e-11, atol=1e-13)


def flat(gradients):
    return np.concatenate([np.ravel(each) for each in gradients])


@pytest.mark.exhaustive
@pytest.mark.parametrize("epochs", [1, 3])
def test_two_processes_take_the_steps_of_one(folder, epochs):
    (folder / "compared.py").write_text(COMPARED.replace("PORT", str(free_port())).replace("EPOCHS", str(epochs)))
    assert run(folder, "compared.py")[-1] == "2 processes agree with one"


@pytest.mark.exhaustive
def test_it_prints_what_the_page_says(folder):
    assert f"\n{run(folder, 'train_together.py')[-1]}\n```" in PAGE.read_text()
