"""What `import lossmith` loads, and what it offers."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import lossmith

HEAVY = (
    "matplotlib",
    "scipy",
    "sklearn",
    "highspy",
    "pandas",
    "torch",
    "lightgbm",
    "xgboost",
    "joblib",
    "numpy",
    "rich",
    "click",
)


def python(program: str) -> object:
    """What a fresh interpreter prints, as JSON."""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.exhaustive
def test_importing_lossmith_loads_nothing_heavy():
    loaded = python(
        "import json, sys, lossmith; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    assert "flint" in loaded
    assert set(loaded).isdisjoint(HEAVY)


def test_making_and_reading_a_loss_loads_nothing_heavy(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("truth,a,b\nx,0,1\ny,1,0\n")
    loaded = python(
        f"import json, sys, lossmith; loss = lossmith.LossMatrix.from_csv({str(path)!r}); lossmith.losses.abstain(3);"
        "loss.to_json(); str(loss); loss.risk([1, 0]); lossmith.affdim(loss);"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    assert "flint" in loaded
    assert set(loaded).isdisjoint(HEAVY)


def test_all_is_what_can_be_imported():
    names: dict[str, object] = {}
    exec("from lossmith import *", names)
    assert sorted({*lossmith.__all__, "__builtins__"}) == sorted(names)
    assert len(set(lossmith.__all__)) == len(lossmith.__all__)


def test_every_public_object_is_in_all():
    public = {
        name
        for name, value in vars(lossmith).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith("lossmith")
    }
    assert public <= set(lossmith.__all__)


def test_no_module_takes_the_place_of_a_public_name():
    """A module `lossmith.analyze`, once imported, would hide the function of that name."""
    packages = [each for each in vars(lossmith).values() if isinstance(each, ModuleType) and hasattr(each, "__all__")]
    assert lossmith.losses in packages
    for package in (lossmith, *packages):
        modules = {each.name for each in pkgutil.iter_modules(package.__path__)}
        shared = modules & set(package.__all__)
        assert [name for name in shared if not isinstance(getattr(package, name), ModuleType)] == []


CALLS = {
    "affdim": "lm.affdim(loss) == 1",
    "analyze": "lm.analyze(loss).affdim == 1",
    "ccdim": "lm.ccdim(loss).exact == 1",
    "census": "lm.census(2, 2).total == 4",
    "check": "lm.check('softmax', loss).status == 'calibrated'",
    "demonstrate": "lm.demonstrate('softmax', loss, 'argmax', sizes=[5], repetitions=2).sizes == (5,)",
    "design": "lm.design(loss).surrogate.dim == 1",
    "feasible_subspace_dimension": "lm.feasible_subspace_dimension(lm.trigger_sets(loss)[0].polytope, [1, 0]) == 0",
    "maximum": "lm.maximum(1, 2) == 2",
    "pos": "lm.pos(-1) == 0",
    "positive_normal_set": "lm.positive_normal_set(lm.surrogates.absolute(2), [1]).polytope.dim == 1",
    "regret": "lm.regret('lee-lin-wahba', 'zero-one:n=2', 'argmax').constant == 1",  # a hinge: Bartlett et al. 2006
    "report": "lm.report(loss).study.affdim == 1",
    "scan": "callable(lm.scan)",
    "sensitivity": "len(lm.sensitivity(loss).costs) == 4",
    "sum_largest": "lm.sum_largest([1, 2, 3], 2) == 5",
    "trigger_sets": "len(lm.trigger_sets(loss)) == 2",
    "verify": "lm.verify(lm.design(loss).certificate).accepted",
    "which": "len(lm.which(loss, 'LogisticRegression').lines) > 0",
}


@pytest.mark.exhaustive
def test_every_public_function_works_when_every_module_is_imported():
    """In any order: a module that is imported becomes an attribute of its package, over a function of that name."""
    functions = [name for name in lossmith.__all__ if callable(getattr(lossmith, name)) and name.islower()]
    assert sorted(functions) == sorted(CALLS)
    wrong = python(
        "import importlib, json, pkgutil, lossmith as lm\n"
        "for each in pkgutil.walk_packages(lm.__path__, 'lossmith.'):\n"
        "    if '.nn' not in each.name and not each.name.endswith('__main__'): importlib.import_module(each.name)\n"
        "loss = [[0, 1], [5, 0]]\n"
        f"print(json.dumps([call for call in {list(CALLS.values())!r} if not eval(call)]))"
    )
    assert wrong == []


def test_dir_shows_the_public_names_alone():
    assert dir(lossmith) == sorted([*lossmith.__all__, "__version__", "nn"])


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(lossmith, "anything_else")
