"""Makes discover.json, what src/core/statistics/two-shares.ts, BY's procedure and the tiny classifiers should give.

    npm run referee -- discover.py
"""

import numpy as np
from scipy import stats
from sklearn.linear_model import RidgeClassifier
from statsmodels.stats.proportion import confint_proportions_2indep

from stored import store

TABLES = [
    (5, 5, 0, 5),
    (9, 10, 3, 12),
    (0, 8, 0, 9),
    (3, 50, 40, 500),
    (480, 500, 60, 4500),
    (120, 400, 1190, 4000),
    (2600, 5000, 22000, 45000),
    (24990, 25000, 30, 25000),
]

shares = []
for a, n, b, m in TABLES:
    low, high = confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff")
    p = stats.fisher_exact([[a, n - a], [b, m - b]], alternative="greater").pvalue
    shares.append({"counts": [a, n, b, m], "low": float(low), "high": float(high), "pValue": float(p)})

P_VALUES = [0.0001, 0.04, 0.03, 0.2, 0.0007, 0.9, 0.011, 0.5, 0.03, 1.0]
yekutieli = {
    "pValues": P_VALUES,
    "adjusted": [float(p) for p in stats.false_discovery_control(P_VALUES, method="by")],
}


def noise(n, seed):
    """n numbers in [0, 1) of the linear congruential generator of Numerical Recipes."""
    state, values = seed, []
    for _ in range(n):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(state / 2**32)
    return np.array(values)


# Four features of 60 rows in three classes of unequal size; the first 40 train.
X = noise(240, 5).reshape(60, 4)
y = np.array([0] * 30 + [1] * 18 + [2] * 12)[np.argsort(noise(60, 6), kind="stable")]
X[:, 0] += 0.3 * y
X[:, 2] -= 0.2 * (y == 1)
train, test = slice(0, 40), slice(40, 60)
mean, deviation = X[train].mean(axis=0), X[train].std(axis=0)
scaled = (X - mean) / deviation
# Every class weighs as much, all together as much as there are rows.
counts = np.bincount(y[train])
weights = 40 / (3 * counts[y[train]])
model = RidgeClassifier(alpha=0.5).fit(scaled[train], y[train], sample_weight=weights)
ridge = {
    "alpha": 0.5,
    "features": X.ravel().tolist(),
    "labels": y.tolist(),
    "scores": model.decision_function(scaled[test]).ravel().tolist(),
    "predicted": model.predict(scaled[test]).tolist(),
}

store(__file__, {"shares": shares, "yekutieli": yekutieli, "ridge": ridge}, "numpy", "scipy", "scikit-learn", "statsmodels")
