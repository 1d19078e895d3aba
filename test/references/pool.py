"""One logistic regression and one perceptron trained by Adam in NumPy: npm run referee -- pool.py"""

import numpy as np

from stored import store

rng = np.random.default_rng(3)
rows, width, classes, hidden, batch, steps = 60, 5, 3, 4, 12, 25
rate, decay, l1 = 0.03, 0.02, 0.003
features = rng.normal(size=(rows, width)).astype(np.float32).astype(np.float64)
labels = (features @ rng.normal(size=(width, classes)) + 0.5 * rng.normal(size=(rows, classes))).argmax(1)
weights = rng.choice([0.0, 0.5, 1.0, 3.0], size=rows)
visible = np.array([1, 1, 0, 1, 1.0])
order = [rng.choice(rows, size=batch, replace=False) for _ in range(steps)]


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def train(parameters, slopes, penalised):
    """Adam as in Kingma and Ba, algorithm 1, with their bias correction written out."""
    first = {k: np.zeros_like(v) for k, v in parameters.items()}
    second = {k: np.zeros_like(v) for k, v in parameters.items()}
    for t, chosen in enumerate(order, 1):
        x, w = features[chosen], weights[chosen]
        for name, slope in slopes(parameters, x, np.eye(classes)[labels[chosen]], w / max(w.sum(), 1e-6)).items():
            value = parameters[name]
            if name in penalised:
                slope = slope + decay * value + l1 * np.sign(value)
            first[name] = 0.9 * first[name] + 0.1 * slope
            second[name] = 0.999 * second[name] + 0.001 * slope**2
            change = first[name] / (1 - 0.9**t) / (np.sqrt(second[name] / (1 - 0.999**t)) + 1e-8)
            parameters = {**parameters, name: value - rate * change}
    return parameters


def linear(p, x, y, w):
    excess = (softmax(x @ p["weight"] + p["bias"]) - y) * w[:, None]
    return {"weight": (x.T @ excess) * visible[:, None], "bias": excess.sum(0)}


def perceptron(p, x, y, w):
    units = np.maximum(x @ p["inner"] + p["innerBias"], 0)
    excess = (softmax(units @ p["outer"] + p["outerBias"]) - y) * w[:, None]
    back = (excess @ p["outer"].T) * (units > 0)
    return {
        "inner": (x.T @ back) * visible[:, None],
        "innerBias": back.sum(0),
        "outer": units.T @ excess,
        "outerBias": excess.sum(0),
    }


def initial(shape):
    return rng.normal(size=shape).astype(np.float32).astype(np.float64)


starts = {
    "logistic": {"weight": initial((width, classes)) * visible[:, None], "bias": np.zeros(classes)},
    "mlp": {
        "inner": initial((width, hidden)) * visible[:, None],
        "innerBias": np.zeros(hidden),
        "outer": initial((hidden, classes)),
        "outerBias": np.zeros(classes),
    },
}
ends = {
    "logistic": train(starts["logistic"], linear, {"weight"}),
    "mlp": train(starts["mlp"], perceptron, {"inner", "outer"}),
}
units = np.maximum(features @ ends["mlp"]["inner"] + ends["mlp"]["innerBias"], 0)
logits = {
    "logistic": features @ ends["logistic"]["weight"] + ends["logistic"]["bias"],
    "mlp": units @ ends["mlp"]["outer"] + ends["mlp"]["outerBias"],
}
# Among the first twenty rows, and among the others.
right = {k: v.argmax(1) == labels for k, v in logits.items()}
correct = {k: [int(v[:20].sum()), int(v[20:].sum())] for k, v in right.items()}
flat = lambda p: {k: [round(float(x), 9) for x in v.ravel()] for k, v in p.items()}
store(
    __file__,
    {
        "width": width,
        "classes": classes,
        "hidden": hidden,
        "batch": batch,
        "member": {"rate": rate, "weightDecay": decay, "l1": l1},
        "features": [float(x) for x in features.ravel()],
        "labels": labels.tolist(),
        "weights": weights.tolist(),
        "visible": visible.tolist(),
        "order": [o.tolist() for o in order],
        "start": {k: flat(v) for k, v in starts.items()},
        "end": {k: flat(v) for k, v in ends.items()},
        "correct": correct,
    },
    "numpy",
)
