"""The heads of bench/heads.mjs by scikit-learn, one after the other, or by PyTorch, all at once; processor seconds and objectives."""

import json
import sys
import time
from pathlib import Path

import numpy as np

what, folder = sys.argv[1], Path(sys.argv[2])
about = json.loads((folder / "heads.json").read_text())
rows, width, alone, heads = about["rows"], about["width"], about["alone"], about["described"]
best = np.array(json.loads((folder / "best.json").read_text()))
if what == "torch":
    heads, best = heads[: about["together"]], best[: about["together"]]
x = np.fromfile(folder / "x.f32", dtype=np.float32).reshape(rows, width)
y = np.fromfile(folder / "y.u8", dtype=np.uint8)
groups = np.fromfile(folder / "g.u8", dtype=np.uint8)
counts = np.stack([np.array(head["ofGroup"], dtype=np.float32)[groups] for head in heads])
l2 = np.array([head["l2"] for head in heads])


def objective(h, u, b):
    """Mean cross entropy and the penalty of both heads, which is a quarter of their difference's."""
    z = x.astype(np.float64) @ u + b
    losses = np.logaddexp(0, z) - y * z
    return float((counts[h] * losses).sum() / counts[h].sum() + l2[h] / 4 * (u @ u))


if what == "sklearn":
    from sklearn.linear_model import LogisticRegression

    objectives, processor = [], 0.0
    places = np.linspace(0, len(heads) - 1, alone).astype(int)
    for h in places:
        begun = time.process_time()
        model = LogisticRegression(C=2 / (counts[h].sum() * l2[h]), max_iter=2000, tol=1e-4)
        model.fit(x, y, sample_weight=counts[h])
        processor += time.process_time() - begun
        objectives.append(objective(h, model.coef_[0].astype(np.float64), model.intercept_[0]))
    result = {"processor": processor, "places": places.tolist(), "objectives": objectives}
else:
    import torch

    torch.set_num_threads(about["threads"])
    tx, ty = torch.from_numpy(x), torch.from_numpy(y.astype(np.float32))[:, None]
    a = torch.from_numpy(counts.T.copy())
    a = a / a.sum(0)
    penalty = torch.from_numpy(l2.astype(np.float32))
    begun = time.process_time()
    w = torch.zeros(width, len(heads), requires_grad=True)
    b = torch.zeros(len(heads), requires_grad=True)
    optimiser = torch.optim.LBFGS([w, b], max_iter=1, history_size=10, line_search_fn="strong_wolfe")
    reached = 1e9

    def values():
        z = tx @ w + b
        losses = (a * torch.nn.functional.binary_cross_entropy_with_logits(z, ty.expand_as(z), reduction="none")).sum(0)
        return losses + penalty / 4 * (w * w).sum(0)

    def closure():
        optimiser.zero_grad()
        loss = values().sum()
        loss.backward()
        return loss

    for step in range(400):
        if time.process_time() - begun > about["most"]:
            break
        optimiser.step(closure)
        if step % 5 == 4:
            # Asking how far it is does not count.
            paused = time.process_time()
            with torch.no_grad():
                reached = float((values().double().numpy() / best - 1).max())
            begun += time.process_time() - paused
            if reached < 1e-4:
                break
    result = {"processor": time.process_time() - begun, "reached": reached, "steps": step + 1, "heads": len(heads)}

(folder / f"{what}.json").write_text(json.dumps(result))
