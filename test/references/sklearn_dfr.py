"""Last layers with an L1 penalty, as deep feature reweighting fits them, from scikit-learn in float64.

    npm run referee -- sklearn_dfr.py

Features, labels and the choice of images come from an integer hash that the test repeats. C times the sum of the
cross entropies plus the sum of absolute weights is what scikit-learn lowers, without a penalty on the intercept (SAGA;
liblinear, which Kirichenko et al. used, penalises it too). Stored are its smallest value, the weights and how many are
not zero, of features as they are and of features scaled by the mean and deviation of all rows.
"""

import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from stored import store

ROWS, WIDTH = 162, 24


def hash_uniform(count, salt):
    """Uniform on [0, 1) in steps of 2^-24: murmur3's finaliser of index and salt."""
    x = (np.arange(count, dtype=np.uint64) * 2654435761 + salt * 40503 + 1) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x85EBCA6B) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 0xC2B2AE35) & 0xFFFFFFFF
    x ^= x >> 16
    return (x >> 8).astype(np.float64) / 2**24


def data(classes):
    """Classes shift the first features by a little; scales differ by a factor of a hundred."""
    labels = (np.arange(ROWS) % classes).astype(np.int64)
    noise = hash_uniform(ROWS * WIDTH, 700 + classes).reshape(ROWS, WIDTH)
    shift = np.zeros((ROWS, WIDTH))
    for k in range(4):
        shift[:, k] = 0.25 * ((labels + k) % classes)
    scale = 0.1 + 10 * hash_uniform(WIDTH, 800)
    return ((noise + shift) * scale).astype(np.float32).astype(np.float64), labels


def objective(model, x, y, c):
    p = model.predict_log_proba(x)
    return float(-c * p[np.arange(len(y)), y].sum() + np.abs(model.coef_).sum())


def fitted(x, y, c):
    model = LogisticRegression(l1_ratio=1, C=c, solver="saga", tol=1e-12, max_iter=1_000_000)
    model.fit(x, y)
    return {
        "c": c,
        "objective": objective(model, x, y, c),
        "weights": np.round(model.coef_, 9).tolist(),
        "intercepts": np.round(model.intercept_, 9).tolist(),
    }


if __name__ == "__main__":
    warnings.simplefilter("error")
    references = {}
    for classes in (2, 3):
        x, y = data(classes)
        scaled = StandardScaler().fit_transform(x)
        for c in (1.0, 0.1, 0.03):
            references[f"{classes} classes, C {c:g}, scaled"] = fitted(scaled, y, c)
        references[f"{classes} classes, C 0.1, as they are"] = fitted(x, y, 0.1)
    store(__file__, references, "numpy", "scikit-learn")
