"""Makes scipy_statistics.json, the expected values of src/core/statistics, with NumPy and SciPy.

    npm run referee -- scipy_statistics.py

Inputs that several cases share are named in "columns". Nothing
but the versions written into the file depends on the machine: all columns come from the small generator below.
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


def rounded(values, digits=4):
    return [float(v) for v in np.round(values, digits)]


X1000, E1000 = normal_noise(1000, 11), normal_noise(1000, 12)
X50, E50 = noise(50, 13), normal_noise(50, 14)
CAUCHY = np.tan(math.pi * (noise(200, 15) - 0.5))

COLUMNS = {
    "three": [1.5, 2.25, 7.0],
    "three-other": [0.1, -4.0, 3.0],
    "four": [3.0, 1.0, 4.0, 1.5],
    "four-other": [2.0, 7.0, 1.0, 8.0],
    "ten": [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0],
    "ten-other": [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82],
    "ties": [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 1],
    "ties-other": [2, 1, 2, 2, 5, 3, 4, 4, 1, 5, 5, 1],
    "two-valued": [0, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1],
    "falling": [9, 8, 7.5, 7, 6, 5.5, 5, 4, 2, 1, 0.5, 0],
    "heavy": rounded(CAUCHY),
    "heavy-other": rounded(0.3 * CAUCHY + np.tan(math.pi * (noise(200, 16) - 0.5))),
    "offset": [float(v) for v in 1e9 + np.round(noise(40, 17) * 64) / 64],
    "offset-other": [float(v) for v in -1e6 + np.round(noise(40, 18) * 64) / 64],
    "huge": [1e200, -3e200, 2.5e200, 7e199, -1e198],
    "huge-other": [2e180, -1e180, 2.5e180, 9e180, -7e180],
    "close": rounded(X50, 6),
    "close-other": rounded(3 * X50 - 1 + 0.012 * E50, 6),
    "large": rounded(noise(2000, 19), 3),
    "large-other": rounded(0.1 * noise(2000, 19) + noise(2000, 20), 3),
    "far": rounded(X1000),
    "far-other": rounded(0.872 * X1000 + 0.507 * E1000),
}

PAIRS = [
    ("three", "three-other"),
    ("four", "four-other"),
    ("ten", "ten-other"),
    ("ties", "ties-other"),
    ("ties", "two-valued"),
    ("ties", "falling"),
    ("heavy", "heavy-other"),
    ("offset", "offset-other"),
    ("huge", "huge-other"),
    ("close", "close-other"),
    ("large", "large-other"),
    ("far", "far-other"),
]

CONFIDENCES = [0.5, 0.9, 0.95, 0.999]

TABLES = [
    [[10, 20], [30, 40]],
    [[50, 0], [0, 50]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]],
    [[12, 5, 9], [3, 17, 8]],
    [[100, 200, 300], [1, 2, 3]],
    [[100, 200, 300], [1, 2, 4]],
    [[10**7, 3], [2, 1]],
    [[int(200 * v) for v in row] for row in noise(100, 30).reshape(10, 10)],
]


def power_of_two(v):
    """To divide by before squaring: 1, or for columns whose squares overflow a power of two, which rounds nothing."""
    largest = np.max(np.abs(v))
    return 2.0 ** math.floor(math.log2(largest)) if largest > 1e100 else 1.0


def summary_case(name):
    v = np.array(COLUMNS[name])
    # NumPy's variance overflows for the huge columns, where the test asks for an error.
    with np.errstate(over="ignore"):
        variance, population = float(np.var(v, ddof=1)), float(np.var(v))
    scale = power_of_two(v)
    return {
        "values": name,
        "mean": float(np.mean(v)),
        "variance": variance if math.isfinite(variance) else None,
        "populationVariance": population if math.isfinite(population) else None,
        "standardDeviation": float(np.std(v / scale, ddof=1) * scale),
        "populationStandardDeviation": float(np.std(v / scale) * scale),
        "standardError": float(stats.sem(v / scale) * scale),
        "quantiles": [[p, float(np.quantile(v, p))] for p in [0, 1e-3, 0.025, 0.25, 1 / 3, 0.5, 0.9, 1]],
        "ranks": [float(r) for r in stats.rankdata(v)] if len(v) <= 40 else None,
    }


def pair_case(pair):
    x, y = (np.array(COLUMNS[name]) for name in pair)
    pearson = stats.pearsonr(x, y)
    spearman = stats.spearmanr(x, y)
    kendall = stats.kendalltau(x, y, method="asymptotic")
    a, b = power_of_two(x), power_of_two(y)
    line = stats.linregress(x / a, y / b)
    intervals = [pearson.confidence_interval(c) for c in CONFIDENCES]
    return {
        "x": pair[0],
        "y": pair[1],
        "pearson": {
            "r": float(pearson.statistic),
            "pValue": float(pearson.pvalue),
            "intervals": [[c, float(i.low), float(i.high)] for c, i in zip(CONFIDENCES, intervals)],
        },
        "spearman": {"rho": float(spearman.statistic), "pValue": float(spearman.pvalue)},
        "kendall": {"tau": float(kendall.statistic), "pValue": float(kendall.pvalue)},
        "regression": {
            "slope": float(line.slope * (b / a)),
            "intercept": float(line.intercept * b),
            "r": float(line.rvalue),
            "pValue": float(line.pvalue),
            "slopeStandardError": float(line.stderr * (b / a)),
            "interceptStandardError": float(line.intercept_stderr * b),
        },
    }


def wilson_case(successes, n, confidence):
    interval = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return [successes, n, confidence, float(interval.low), float(interval.high)]


STATISTICS = {
    "mean": lambda v, axis: np.mean(v, axis=axis),
    "median": lambda v, axis: np.median(v, axis=axis),
    "standardDeviation": lambda v, axis: np.std(v, ddof=1, axis=axis),
}


def bootstrap_case(name, statistic, confidence, seed, resamples=300):
    """The intervals of given resamples: SciPy appends none to a result that it is handed, and computes its interval."""
    v, of = np.array(COLUMNS[name]), STATISTICS[statistic]
    picks = np.floor(noise(resamples * len(v), seed) * len(v)).astype(int).reshape(resamples, len(v))
    resampled = np.round(of(v[picks], -1), 6)
    given = stats._resampling.BootstrapResult(None, resampled, None)
    intervals = {
        method: stats.bootstrap(
            (v,), of, n_resamples=0, bootstrap_result=given, confidence_level=confidence, method=method
        ).confidence_interval
        for method in ["percentile", "bca"]
    }
    return {
        "values": name,
        "statistic": statistic,
        "confidence": confidence,
        "resampled": [float(r) for r in resampled],
        **{method: [float(i.low), float(i.high)] for method, i in intervals.items()},
    }


def entropy(p):
    return float(-np.sum(special.xlogy(p, p)))


def table_case(counts):
    t = np.array(counts)
    n, (r, c) = t.sum(), t.shape
    p = t / n
    independent = np.outer(p.sum(axis=1), p.sum(axis=0))
    # scikit-learn's definitions, written with SciPy's relative entropy.
    information = float(np.sum(special.rel_entr(p, independent)))
    # Bergsma 2013, "A bias-correction for Cramér's V and Tschuprow's T", page 326.
    phi2 = stats.chi2_contingency(t, correction=False).statistic / n
    phi2_plus = max(0, phi2 - (r - 1) * (c - 1) / (n - 1))
    levels = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1))
    return {
        "counts": counts,
        "cramersV": float(stats.contingency.association(t, method="cramer", correction=False)),
        "cramersVCorrected": math.sqrt(phi2_plus / (levels - 1)),
        "mutualInformation": information,
        "normalisedMutualInformation": 2 * information / (entropy(p.sum(axis=1)) + entropy(p.sum(axis=0))),
    }


TAILS = [1e-300, 1e-100, 1e-20, 1e-17, 1e-16, 1e-12, 1e-9, 1e-6, 1e-4, 0.0025, 0.0199999, 0.02]
CENTRE = [0.025, 0.1, 0.25, 0.3, 0.5, 0.5000001, 0.7, 0.9, 0.975, 0.98, 0.999, 1 - 1e-9, 1 - 1e-12, 1 - 2**-53]
POINTS = [-37, -30, -20, -10, -8.3, -5, -3, -1.96, -1, -0.1, -1e-8, 0, 1e-8, 0.5, 1, 2, 3, 5, 8, 40]
STUDENTS = [
    (t, df)
    for df in [1, 2, 3, 5, 10, 48, 100, 998, 5000, 10**6]
    for t in [0, 1e-9, 0.1, 1, 2.5, 10, 38, 100, 1e4]
]

reference = {
    "columns": COLUMNS,
    "summary": [summary_case(name) for name in COLUMNS],
    "pairs": [pair_case(pair) for pair in PAIRS],
    "normalCdf": [[x, float(stats.norm.cdf(x))] for x in POINTS],
    "normalQuantile": [[p, float(stats.norm.ppf(p))] for p in TAILS + CENTRE],
    "studentTwoSided": [[t, df, float(2 * stats.t.sf(t, df))] for t, df in STUDENTS],
    "wilson": [
        wilson_case(k, n, confidence)
        for k, n in [(0, 1), (1, 1), (0, 10), (10, 10), (3, 7), (1, 10**9), (999, 1000), (4321, 10000)]
        for confidence in [0.5, 0.95, 0.999999]
    ],
    "bootstrap": [
        bootstrap_case("ten-other", "mean", 0.95, 40),
        bootstrap_case("ten-other", "standardDeviation", 0.9, 41),
        bootstrap_case("ties-other", "median", 0.95, 42),
        bootstrap_case("close-other", "mean", 0.99, 43),
        bootstrap_case("four-other", "mean", 0.8, 44),
    ],
    "tables": [table_case(counts) for counts in TABLES],
}

store(__file__, reference, "numpy", "scipy")
