"""Makes seeds.json, what src/core/statistics is expected to say of samples of seeds and of many tests, with SciPy and statsmodels.

    npm run referee -- seeds.py

All inputs are stored beside the results; random ones come from the small generator below.
"""

import itertools

import numpy as np
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

from stored import store


def noise(n, seed):
    """n numbers in [0, 1) of the linear congruential generator of Numerical Recipes."""
    state, values = seed, []
    for _ in range(n):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(state / 2**32)
    return np.array(values)


SAMPLES = {
    "two": [0.512, 0.547],
    "three": [0.712, 0.698, 0.731],
    "three-small": [0.001, -0.002, 0.0015],
    "five": [-0.03, 0.01, 0.045, 0.02, 0.004],
    "negative": [-0.11, -0.07, -0.09, -0.13],
    "ten": [float(v) for v in np.round(noise(10, 3) - 0.4, 4)],
    "far": [float(1e6 + v) for v in np.round(noise(6, 5) * 64) / 64],
}

CONFIDENCES = [0.5, 0.9, 0.95, 0.999]
MARGINS = [0.01, 0.03, 0.2]


def sample_case(name):
    v = np.array(SAMPLES[name])
    test = stats.ttest_1samp(v, 0)
    described = DescrStatsW(v)
    return {
        "values": name,
        "t": float(test.statistic),
        "pValue": float(test.pvalue),
        "intervals": [[c, *(float(end) for end in test.confidence_interval(c))] for c in CONFIDENCES],
        "equivalence": [[m, float(described.ttost_mean(-m, m)[0])] for m in MARGINS],
        "smallestMargin": float(np.max(np.abs(test.confidence_interval(0.9)))),
    }


def paired_case(first, second):
    test = stats.ttest_rel(first, second)
    low, high = test.confidence_interval(0.95)
    return {
        "first": first,
        "second": second,
        "t": float(test.statistic),
        "pValue": float(test.pvalue),
        "degreesOfFreedom": int(test.df),
        "low": float(low),
        "high": float(high),
    }


def smallest_case(n, alpha, power):
    """By SciPy's root finder on its noncentral t, and by statsmodels where its own power says that it has converged.

    For few values and strong effects it has not: of three at a level of 0.01 it stops at a power of 0.41 for 0.9.
    """
    critical = stats.t.ppf(1 - alpha / 2, n - 1)
    # SciPy gives NaN for the other tail where it is far below 1e-16.
    tails = lambda shift: stats.nct.sf(critical, n - 1, shift) + np.nan_to_num(stats.nct.cdf(-critical, n - 1, shift))
    above = lambda effect: tails(effect * np.sqrt(n)) - power
    found = float(optimize.brentq(above, 0.01, 12, xtol=1e-14, rtol=1e-14))
    solved = float(np.squeeze(TTestPower().solve_power(nobs=n, alpha=alpha, power=power, alternative="two-sided")))
    converged = abs(TTestPower().power(solved, n, alpha) - power) < 1e-5
    return {"n": n, "alpha": alpha, "power": power, "scipy": found, "statsmodels": solved if converged else None}


def power_case(effect, n, alpha):
    return [effect, n, alpha, float(TTestPower().power(effect, n, alpha, alternative="two-sided"))]


def multiple_case(p_values):
    return {
        "pValues": p_values,
        "holm": [float(p) for p in multipletests(p_values, method="holm")[1]],
        "benjaminiHochberg": [float(p) for p in stats.false_discovery_control(p_values)],
    }


def flip_case(rows):
    """All 2^n signs by brute force, of each column alone also by SciPy's permutation test of the mean."""
    d = np.array(rows)
    scale = np.sqrt((d**2).sum(axis=0))
    signs = np.array(list(itertools.product([1, -1], repeat=len(d))))
    found = np.abs(signs @ d) / scale
    observed = np.abs(d.sum(axis=0)) / scale
    alone = [
        float(
            stats.permutation_test(
                (column,), lambda v, axis: np.abs(np.sum(v, axis=axis)), permutation_type="samples",
                n_resamples=np.inf, alternative="greater",
            ).pvalue
        )
        for column in d.T
    ]
    largest = found.max(axis=1)
    return {
        "rows": rows,
        "observed": [float(v) for v in observed],
        "unadjusted": alone,
        "adjusted": [float(np.mean(largest >= v - 1e-12)) for v in observed],
    }


def shuffle_case(labels, columns):
    """All orders of the labels by brute force: |difference of means| of two classes, in every column."""
    labels, x = np.array(labels), np.array(columns)
    statistics = lambda l: np.abs(x[:, l == 1].mean(axis=1) - x[:, l == 0].mean(axis=1))
    observed = statistics(labels)
    found = np.array([statistics(np.array(order)) for order in sorted(set(itertools.permutations(labels.tolist())))])
    largest = found.max(axis=1)
    return {
        "labels": labels.tolist(),
        "columns": columns,
        "observed": [float(v) for v in observed],
        "unadjusted": [float(v) for v in (found >= observed - 1e-12).mean(axis=0)],
        "adjusted": [float(np.mean(largest >= v - 1e-12)) for v in observed],
    }


def association_case(counts, confidence=0.95):
    """Noncentrality by SciPy's ncx2, solved for the two tails; divided as Bergsma 2013 divides."""
    t = np.array(counts)
    n, (r, c) = int(t.sum()), t.shape
    chi2 = stats.chi2_contingency(t, correction=False).statistic
    levels = min(r - 1 - (r - 1) ** 2 / (n - 1), c - 1 - (c - 1) ** 2 / (n - 1))
    freedom = (r - 1) * (c - 1)

    def noncentrality(p):
        above = lambda nc: stats.ncx2.sf(chi2, freedom, nc) - p
        if stats.chi2.sf(chi2, freedom) >= p:
            return 0.0
        return optimize.brentq(above, 1e-12, 10 * chi2 + 100, xtol=1e-12, rtol=1e-13)

    tail = (1 - confidence) / 2
    ends = [noncentrality(p) for p in (tail, 1 - tail)]
    return {
        "counts": counts,
        "noncentralities": ends,
        "interval": [float(np.sqrt(min(1, nc / n / levels))) for nc in ends],
        # E(χ²) of tables with these margins is n/(n - 1) · (r - 1)(c - 1).
        "expectedByChance": float(np.sqrt(freedom / (n - 1) / (min(r, c) - 1))),
    }


P = [0.5, 0.51, 0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.999, 1 - 1e-6, 0.4, 0.025, 1e-3, 1e-9, 1e-50]
FREEDOMS = [1, 2, 3, 4, 5, 9, 10, 29, 100, 1000]
rows = lambda n, m, seed: np.round(noise(n * m, seed).reshape(n, m) - 0.45, 3).tolist()

reference = {
    "samples": SAMPLES,
    "quantiles": [[p, df, float(stats.t.ppf(p, df))] for p in P for df in FREEDOMS],
    "means": [sample_case(name) for name in SAMPLES],
    "paired": [
        paired_case([0.71, 0.69, 0.74], [0.70, 0.66, 0.70]),
        paired_case([0.2, 0.4], [0.1, 0.5]),
        paired_case(rows(1, 8, 21)[0], rows(1, 8, 22)[0]),
    ],
    "noncentralUpper": [
        [x, df, nc, float(stats.nct.sf(x, df, nc))]
        for df, x in [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (99, 1.984)]
        for nc in [-2.0, 0.0, 0.5, 2.0, 4.0, 8.0]
    ],
    # Of twenty values statsmodels gives NaN for an effect of three deviations, whose power is 1.
    "power": [
        power_case(e, n, a)
        for e in [0.1, 0.5, 1.0, 3.0]
        for n in [2, 3, 5, 20]
        for a in [0.01, 0.05]
        if e < 3 or n < 20
    ],
    "smallest": [smallest_case(n, a, p) for n in [3, 4, 5, 6, 10, 50] for a, p in [(0.05, 0.8), (0.01, 0.9)]],
    "multiple": [
        multiple_case([0.01, 0.04, 0.03, 0.005]),
        multiple_case([0.5]),
        multiple_case([0.0, 1.0, 1.0, 0.2, 0.2]),
        multiple_case([float(p) for p in np.round(noise(40, 31) ** 3, 6)]),
    ],
    "flips": [flip_case(rows(3, 1, 41)), flip_case(rows(6, 3, 42)), flip_case(rows(10, 4, 43))],
    "shuffles": [
        shuffle_case([0, 0, 0, 1, 1, 1, 1], rows(3, 7, 51)),
        shuffle_case([0, 0, 0, 0, 1, 1, 1, 1], rows(2, 8, 52)),
    ],
    "lowerGamma": [
        [a, x, float(special.gammainc(a, x))]
        for a in [0.5, 1.0, 2.5, 15.5, 40.5, 290.5, 1500.0, 50000.5]
        for x in [0.01 * a, 0.5 * a, 0.97 * a, a, 1.02 * a, 2 * a, 5 * a]
    ],
    "noncentralChiSquare": [
        [x, df, nc, float(stats.ncx2.cdf(x, df, nc))]
        for df in [1, 4, 81]
        for x, nc in [(0.5, 1.0), (10.0, 3.0), (100.0, 90.0), (3000.0, 2900.0), (1e5, 1e5)]
    ],
    "associations": [
        association_case([[10, 20], [30, 40]]),
        association_case([[12, 5, 9], [3, 17, 8]]),
        association_case([[40, 10, 12], [8, 45, 9], [11, 13, 52]]),
        association_case([[500, 20], [15, 700]]),
    ],
}

store(__file__, reference, "numpy", "scipy", "statsmodels")
