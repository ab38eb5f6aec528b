"""The least objective of a linear model, as one quadratic program: slow, and obviously right."""

from __future__ import annotations

import highspy
import numpy as np


def least_objective(surrogate, X, y, weights=None, C=1.0, intercept=True) -> float:
    """min ½‖W‖² + Σ_i C s_i Σ_g t_ig with t_ig ≥ every piece of maximum g at u_i = Wx_i + b, and u_i in the domain."""
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    d, p = surrogate.dim, X.shape[1]
    size, offset = p * d, d * intercept
    inf = highspy.kHighsInf
    rows, lower, upper, costs = [], [], [], []

    def affine(x, a):  # a·(Wx + b) as a row in (W, b)
        return [a[j] * x[f] for f in range(p) for j in range(d)] + ([*a] if intercept else [])

    for x, label, weight in zip(X, y, weights):
        for maximum in surrogate.terms[label]:
            t = size + offset + len(costs)
            costs.append(C * weight)
            for b, *a in maximum:
                rows.append({**dict(enumerate(-v for v in affine(x, list(map(float, a))))), t: 1.0})
                lower.append(float(b))
                upper.append(inf)
        for domain, most in ((surrogate.inequalities, inf), (surrogate.equations, None)):
            for b, *a in domain:
                rows.append(dict(enumerate(affine(x, list(map(float, a))))))
                lower.append(-float(b))
                upper.append(-float(b) if most is None else most)
    total = size + offset + len(costs)
    model = highspy.HighsModel()
    lp, hessian = model.lp_, model.hessian_
    lp.num_col_, lp.num_row_ = total, len(rows)
    lp.col_cost_ = np.array([0.0] * (size + offset) + costs)
    lp.col_lower_, lp.col_upper_ = np.full(total, -inf), np.full(total, inf)
    lp.row_lower_, lp.row_upper_ = np.array(lower), np.array(upper)
    entries = [[(i, v) for i, v in row.items() if v] for row in rows]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *map(len, entries)])
    lp.a_matrix_.index_ = np.array([i for row in entries for i, _ in row])
    lp.a_matrix_.value_ = np.array([v for row in entries for _, v in row])
    hessian.dim_ = total
    hessian.start_ = np.array([*range(size), *[size] * (total - size + 1)])
    hessian.index_, hessian.value_ = np.arange(size), np.ones(size)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.passModel(model) != highspy.HighsStatus.kError
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal, solver.getModelStatus()
    return solver.getInfo().objective_function_value
