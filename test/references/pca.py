"""Makes pca.json, the expected values of src/audits/embedding/pca.ts, with NumPy's SVD.

    npm run referee -- pca.py

All inputs come from the small generator below.
"""

import numpy as np

from stored import store


def noise(n, seed):
    """n numbers in [0, 1) of the linear congruential generator of Numerical Recipes."""
    state, values = seed, []
    for _ in range(n):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(state / 2**32)
    return np.array(values)


def case(count, width, seed):
    scales = 1 / (1 + np.arange(width))
    rows = np.round((noise(count * width, seed).reshape(count, width) - 0.3) * scales, 6)
    centred = rows - rows.mean(axis=0)
    _, singular, axes = np.linalg.svd(centred, full_matrices=False)
    kept = 3
    # An axis and its negative are one: the largest entry is positive.
    signs = np.array([np.sign(axis[np.argmax(np.abs(axis))]) for axis in axes])
    axes = axes * signs[:, None]
    return {
        "count": count,
        "width": width,
        "rows": rows.flatten().tolist(),
        "axes": axes[:kept].flatten().tolist(),
        "variances": (singular[:kept] ** 2 / (count - 1)).tolist(),
        "totalVariance": float((singular**2).sum() / (count - 1)),
        "projected": (centred @ axes[:kept].T).flatten().tolist(),
    }


store(__file__, [case(30, 6, 1), case(12, 25, 2), case(60, 40, 3)], "numpy")
