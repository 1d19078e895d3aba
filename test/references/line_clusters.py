"""Makes line_clusters.json, the intervals of R that src/audits/line/cluster-bootstrap.ts is expected to find, with NumPy.

    npm run referee -- line_clusters.py

Every resample is made by concatenating the points of the drawn clusters and asking NumPy for the (weighted) correlation.
With six clusters all 6^6 resamples are enumerated, so that the quantiles are exact; with forty, 20,000 are drawn. What
20,000 resamples of another program may find lies between two quantiles of these, four standard errors of a share to each
side.
"""

import itertools

import numpy as np

from stored import store

RESAMPLES = 20_000


def correlation(x, y, w):
    covariance = np.cov(x, y, aweights=w, ddof=0)
    return covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])


def resampled(table, draws):
    clusters = np.array(table["clusters"])
    x, y = np.array(table["x"]), np.array(table["y"])
    w = np.ones(len(x)) if table["weights"] is None else np.array(table["weights"])
    members = [np.flatnonzero(clusters == code) for code in np.unique(clusters)]
    found = []
    for draw in draws(len(members)):
        rows = np.concatenate([members[i] for i in draw])
        found.append(correlation(x[rows], y[rows], w[rows]))
    return np.array(found)


def brackets(found, errors):
    return {
        name: [
            float(np.quantile(found, max(0, p - 4 * errors * np.sqrt(p * (1 - p) / RESAMPLES)))),
            float(np.quantile(found, min(1, p + 4 * errors * np.sqrt(p * (1 - p) / RESAMPLES)))),
        ]
        for name, p in (("rLow", 0.025), ("rHigh", 0.975))
    }


def table(name, seed, clusters, weighted):
    """Points of a cluster share most of their x and y, and clusters differ in size."""
    random = np.random.default_rng(seed)
    codes = np.concatenate([[code] * random.integers(2, 9) for code in range(clusters)])
    shared = random.normal(size=(2, clusters))
    x = shared[0, codes] + 0.3 * random.normal(size=len(codes))
    y = 0.5 * shared[0, codes] + shared[1, codes] + 0.3 * random.normal(size=len(codes))
    order = random.permutation(len(codes))
    weights = random.uniform(0.2, 3, size=len(codes)) if weighted else None
    return {
        "name": name,
        # Neither in order nor without gaps.
        "clusters": (7 * codes[order] + 3).tolist(),
        "x": np.round(x[order], 6).tolist(),
        "y": np.round(y[order], 6).tolist(),
        "weights": None if weights is None else np.round(weights, 6).tolist(),
    }


def main():
    every = lambda count: itertools.product(range(count), repeat=count)
    random = np.random.default_rng(11)
    drawn = lambda count: random.integers(count, size=(RESAMPLES, count))
    cases = []
    for name, seed, clusters, weighted in (
        ("six clusters", 1, 6, False),
        ("six clusters, weighted", 2, 6, True),
        ("forty clusters", 3, 40, False),
        ("forty clusters, weighted", 4, 40, True),
    ):
        made = table(name, seed, clusters, weighted)
        exact = clusters == 6
        found = resampled(made, every if exact else drawn)
        cases.append({**made, "count": clusters, **brackets(found, 1 if exact else np.sqrt(2))})
    store(__file__, {"resamples": RESAMPLES, "cases": cases}, "numpy")


main()
