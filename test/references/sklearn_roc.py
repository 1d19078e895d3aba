"""Areas under ROC curves by scikit-learn, and DeLong's standard errors by the plain double sum of their 1988 paper.

    npm run referee -- sklearn_roc.py

Scores come from an integer hash that the test repeats; some are rounded, so that many are equal.
"""

import numpy as np
from sklearn.metrics import precision_score, recall_score, roc_auc_score

from stored import store


def hash_uniform(count, salt):
    """Uniform on [0, 1) in steps of 2^-24: murmur3's finaliser of index and salt."""
    x = (np.arange(count, dtype=np.uint64) * 2654435761 + salt * 40503 + 1) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x85EBCA6B) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 0xC2B2AE35) & 0xFFFFFFFF
    x ^= x >> 16
    return (x >> 8).astype(np.float64) / 2**24


def case(count, share, lift, steps):
    sought = hash_uniform(count, 1) < share
    scores = hash_uniform(count, 2) + lift * sought
    if steps:
        scores = np.floor(scores * steps)
    ours, others = scores[sought], scores[~sought]
    above = (ours[:, None] > others[None, :]) + 0.5 * (ours[:, None] == others[None, :])
    error = np.sqrt(above.mean(1).var(ddof=1) / len(ours) + above.mean(0).var(ddof=1) / len(others))
    threshold = float(np.median(scores))
    return {
        "count": count,
        "share": share,
        "lift": lift,
        "steps": steps,
        "area": roc_auc_score(sought, scores),
        "error": float(error),
        "threshold": threshold,
        "precision": precision_score(sought, scores > threshold),
        "recall": recall_score(sought, scores > threshold),
    }


if __name__ == "__main__":
    cases = [case(50, 0.3, 0.2, 0), case(400, 0.05, 0.5, 0), case(300, 0.5, -0.3, 7), case(1000, 0.2, 0.0, 3)]
    store(__file__, cases, "numpy", "scikit-learn")
