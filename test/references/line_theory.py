"""Makes line_theory.json, expected values of src/theory, with NumPy and PyTorch.

    npm run referee -- line_theory.py

Logistic regressions come from PyTorch's own gradients and L-BFGS, not from Newton's method. All inputs come from the small generator below.
"""

import numpy as np
import torch

from stored import store


def noise(n, seed):
    """n numbers in [0, 1) of the linear congruential generator of Numerical Recipes."""
    state, values = seed, []
    for _ in range(n):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(state / 2**32)
    return np.array(values)


def logistic(rows, labels, ridge):
    x, y = torch.tensor(rows), torch.tensor(labels)
    weights = torch.zeros(rows.shape[1], dtype=torch.float64, requires_grad=True)
    penalty = torch.tensor(ridge, dtype=torch.float64)
    optimiser = torch.optim.LBFGS(
        [weights], max_iter=2000, tolerance_grad=1e-13, tolerance_change=0, line_search_fn="strong_wolfe"
    )

    def loss():
        optimiser.zero_grad()
        value = torch.nn.functional.softplus(-(x @ weights) * y).sum() + 0.5 * (penalty * weights**2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    return weights.detach().numpy()


def regressions():
    for seed, count, width, ridge in [(1, 12, 2, 0.5), (2, 40, 4, 1.0), (3, 200, 3, [0.01, 10.0, 0.0])]:
        labels = np.where(noise(count, 100 + seed) < 0.5, -1.0, 1.0)
        rows = np.round(noise(count * width, seed).reshape(count, width) * 4 - 2 + 0.4 * labels[:, None], 6)
        yield {
            "rows": rows.tolist(),
            "labels": labels.astype(int).tolist(),
            "ridge": ridge,
            "weights": logistic(rows, labels, ridge).tolist(),
        }


def matrices():
    for size, seed in [(2, 7), (3, 8), (6, 9)]:
        square = np.round(noise(size * size, seed).reshape(size, size) * 2 - 1, 6)
        positive = square @ square.T + 0.1 * np.eye(size)
        b = np.round(noise(size, seed + 50), 6)
        yield {
            "square": square.tolist(),
            "positive": positive.tolist(),
            "b": b.tolist(),
            "spectralNorm": float(np.linalg.norm(square, 2)),
            "eigenvalues": np.linalg.eigvalsh(positive)[::-1].tolist(),
            "cholesky": np.linalg.cholesky(positive).tolist(),
            "solution": np.linalg.solve(positive, b).tolist(),
        }


store(__file__, {"regressions": list(regressions()), "matrices": list(matrices())}, "numpy", "torch")
