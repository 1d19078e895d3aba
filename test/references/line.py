"""Makes line.json, the expected values of src/audits/line/fit.ts, with NumPy and SciPy.

    npm run referee -- line.py

Slope, intercept, r, p-value and standard error are those of
`scipy.stats.linregress`, intervals those of `scipy.stats.pearsonr(...).confidence_interval()`. Weighted fits come from
NumPy alone: `lstsq` of the rows times the roots of their weights, r from weighted moments, the p-value from SciPy's
Student t; their interval is Fisher's z with the effective number of points.
"""

import math

import numpy as np
from scipy import special, stats

from stored import store


def noise(n, seed):
    """n numbers in [0, 1) of the linear congruential generator of Numerical Recipes."""
    state, values = seed, []
    for _ in range(n):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(state / 2**32)
    return np.array(values)


def normal_noise(n, seed):
    return special.ndtri(0.5 / n + (1 - 1 / n) * noise(n, seed))


def accuracies(n, seed, slope, offset, spread):
    x = 1.2 * noise(n, seed) - 0.2
    y = slope * x + offset + spread * normal_noise(n, seed + 100)
    return np.round(special.ndtr(x), 6), np.round(special.ndtr(y), 6)


def table(name, ids, oods, weights=None):
    return {"name": name, "id": [float(v) for v in ids], "ood": [float(v) for v in oods], "weights": weights}


TABLES = [
    table("three points", [0.6, 0.7, 0.9], [0.5, 0.65, 0.7]),
    table("four points", [0.55, 0.72, 0.81, 0.93], [0.61, 0.6, 0.72, 0.7]),
    table("zeros and ones", [0, 1, 1, 1, 0.701375, 0.587426, 0.551277], [0, 0, 0, 0, 0.352989, 0.512568, 0.566278]),
    table("on the line", *accuracies(40, 1, 0.9, -0.2, 0.001)),
    table("accuracy on the line", *accuracies(200, 2, 0.7, -0.5, 0.15)),
    table("inverse line", *accuracies(200, 3, -1.5, 0.4, 0.4)),
    table("no line", *accuracies(120, 4, 0.0, 0.1, 0.5)),
    table("near the threshold", *accuracies(500, 5, 0.3, 0.0, 0.33)),
    table("weights", *accuracies(60, 6, 0.5, 0.0, 0.3), [round(float(v), 3) for v in 0.1 + 5 * noise(60, 66)]),
    table("some weights of zero", *accuracies(30, 7, -0.4, 0.0, 0.3), [float(i % 3) for i in range(30)]),
]

TRANSFORMS = {
    "probit": special.ndtri,
    "logit": special.logit,
    "linear": lambda p: p,
}


def fit(x, y, weights):
    if weights is None:
        line = stats.linregress(x, y)
        interval = stats.pearsonr(x, y).confidence_interval(0.95)
        return line.slope, line.intercept, line.rvalue, line.pvalue, line.stderr, interval.low, interval.high
    keep = np.array(weights) > 0
    x, y, w = x[keep], y[keep], np.array(weights)[keep]
    root = np.sqrt(w)
    design = np.stack([np.ones_like(x), x], 1) * root[:, None]
    (intercept, slope), *_ = np.linalg.lstsq(design, y * root, rcond=None)
    residuals = y - intercept - slope * x
    variance = (w * residuals**2).sum() / (len(x) - 2)
    error = math.sqrt(variance * np.linalg.inv(design.T @ design)[1, 1])
    covariance = np.cov(x, y, aweights=w)
    r = covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
    p = 2 * stats.t.sf(abs(slope / error), len(x) - 2)
    size = w.sum() ** 2 / (w**2).sum()
    half = stats.norm.ppf(0.975) / math.sqrt(size - 3)
    return slope, intercept, r, p, error, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def cases():
    for entry in TABLES:
        for transform, function in TRANSFORMS.items():
            for clip in [(0.01, 0.99), (0.2, 0.8)]:
                x, y = (function(np.clip(np.array(entry[side]), *clip)) for side in ("id", "ood"))
                names = ["slope", "intercept", "r", "pValue", "stdErr", "rLow", "rHigh"]
                values = dict(zip(names, (float(v) for v in fit(x, y, entry["weights"]))))
                yield {"table": entry["name"], "transform": transform, "clip": list(clip), **values}


if __name__ == "__main__":
    store(__file__, {"tables": TABLES, "fits": list(cases())}, "numpy", "scipy")
