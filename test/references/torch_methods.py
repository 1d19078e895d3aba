"""What mitigation methods do to the weights of a small network, from PyTorch in float64.

    npm run referee -- torch_methods.py

Two linear layers with ReLU between them stand for the network. Weights, images and labels come from an integer hash that
the test repeats; only the losses of all updates and the weights after the last are stored. Each method is written with autograd and torch.optim in its plainest form: loops
over groups, environments and classes, one-hot inputs, a closed form for the generalised cross entropy.
"""

import numpy as np
import torch
import torch.nn.functional as F

from stored import store

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)

INPUTS, HIDDEN, CLASSES, COUNT, BATCH, STEPS = 12, 6, 3, 24, 8, 5
CUES = (2, 3)


def hash_uniform(count, salt):
    """Uniform on [0, 1) in steps of 2^-24: murmur3's finaliser of index and salt."""
    x = (np.arange(count, dtype=np.uint64) * 2654435761 + salt * 40503 + 1) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x85EBCA6B) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 0xC2B2AE35) & 0xFFFFFFFF
    x ^= x >> 16
    return (x >> 8).astype(np.float64) / 2**24


def integers(count, salt, below):
    return (hash_uniform(count, salt) * below).astype(np.int64)


def weights(shape, salt):
    values = (hash_uniform(int(np.prod(shape)), salt) * 2 - 1).astype(np.float32).astype(np.float64)
    return torch.tensor(values.reshape(shape), requires_grad=True)


def pixels(salt):
    return torch.tensor(np.floor(hash_uniform(COUNT * INPUTS, salt) * 256).reshape(COUNT, INPUTS) / 255)


IMAGES = torch.tensor(np.floor(hash_uniform(COUNT * INPUTS, 600) * 256).reshape(COUNT, INPUTS) / 255)
LABELS = integers(COUNT, 1, CLASSES)
CUE_VALUES = [integers(COUNT, 2 + i, values) for i, values in enumerate(CUES)]
BIAS_ROWS = list(zip(*CUE_VALUES))
GROUP_ROWS = list(zip(*CUE_VALUES, LABELS))


def numbered(rows):
    """Rows as numbers, in the order in which they first occur."""
    order = list(dict.fromkeys(rows))
    return np.array([order.index(row) for row in rows]), len(order)


BIAS, BIAS_COUNT = numbered(BIAS_ROWS)
GROUPS, GROUP_COUNT = numbered(GROUP_ROWS)
GROUP_SIZES = np.bincount(GROUPS)


def batch_at(step):
    """Different images each step; some groups are never among them."""
    return np.array([(5 * step + 7 * i) % COUNT for i in range(BATCH)])


class Network:
    def __init__(self, salt):
        self.parameters = {
            "hidden.0.weight": weights((HIDDEN, INPUTS), salt),
            "hidden.0.bias": weights((HIDDEN,), salt + 1),
            "head.weight": weights((CLASSES, HIDDEN), salt + 2),
            "head.bias": weights((CLASSES,), salt + 3),
        }

    def features(self, x):
        return F.relu(F.linear(x, self.parameters["hidden.0.weight"], self.parameters["hidden.0.bias"]))

    def logits(self, x):
        return F.linear(self.features(x), self.parameters["head.weight"], self.parameters["head.bias"])


def adam(tensors):
    return torch.optim.Adam(tensors, lr=0.05, weight_decay=1e-3)


def run(make):
    """All updates of some steps; `make` gives the parameters by name and a function from a batch to losses."""
    network = Network(10)
    parameters, step = make(network)
    losses = []
    for i in range(STEPS):
        losses += step(batch_at(i))
    return {"losses": rounded(losses), "weights": {name: rounded(value) for name, value in parameters.items()}}


def rounded(values):
    return [round(value, 9) for value in torch.as_tensor(values).flatten().tolist()]


def simple(extra, loss_of):
    """A method of one update a batch: what it trains beside the network, and its loss (and another to report)."""

    def make(network):
        parameters = {**network.parameters, **extra}
        optimiser = adam(parameters.values())

        def step(rows):
            loss, *reported = loss_of(network, rows)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            return [(reported or [loss])[0].item()]

        return parameters, step

    return make


def cross_entropies(logits, rows):
    return F.cross_entropy(logits, torch.tensor(LABELS[rows]), reduction="none")


def group_upweighting():
    def loss(network, rows):
        scale = torch.tensor(COUNT / GROUP_SIZES[GROUPS[rows]])
        return [(scale * cross_entropies(network.logits(IMAGES[rows]), rows)).mean()]

    return simple({}, loss)


def group_dro(step_size):
    q = torch.full((GROUP_COUNT,), 1 / GROUP_COUNT)

    def loss(network, rows):
        nonlocal q
        losses = cross_entropies(network.logits(IMAGES[rows]), rows)
        group_losses = []
        for group in range(GROUP_COUNT):
            mine = [i for i, row in enumerate(rows) if GROUPS[row] == group]
            group_losses.append(losses[mine].mean() if mine else torch.tensor(0.0))
        group_losses = torch.stack(group_losses)
        q = q * torch.exp(step_size * group_losses.detach())
        q = q / q.sum()
        return [(q * group_losses).sum()]

    make = simple({}, loss)
    result = run(make)
    return {**result, "q": rounded(q)}


def rubi():
    branch = {"branch/bias.weight": weights((CLASSES, BIAS_COUNT), 30), "branch/bias.bias": weights((CLASSES,), 31)}

    def loss(network, rows):
        one_hot = F.one_hot(torch.tensor(BIAS[rows]), BIAS_COUNT).double()
        bias_logits = F.linear(one_hot, *branch.values())
        masked = network.logits(IMAGES[rows]) * torch.sigmoid(bias_logits)
        return [(cross_entropies(masked, rows) + cross_entropies(bias_logits, rows)).mean()]

    return simple(branch, loss)


class Scale(torch.autograd.Function):
    """The identity, with a gradient times a factor."""

    @staticmethod
    def forward(context, x, factor):
        context.factor = factor
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        return gradient * context.factor, None


def lnl(scale, entropy_weight):
    branch = {"branch/bias.weight": weights((BIAS_COUNT, HIDDEN), 40), "branch/bias.bias": weights((BIAS_COUNT,), 41)}

    def make(network):
        # Parameters without a gradient are left alone: the head in the second update, the branch in the first.
        optimiser = adam([*network.parameters.values()])
        branch_optimiser = adam(branch.values())

        def clear():
            optimiser.zero_grad(set_to_none=True)
            branch_optimiser.zero_grad(set_to_none=True)

        def step(rows):
            clear()
            p = torch.softmax(F.linear(network.features(IMAGES[rows]), *branch.values()), 1)
            first = cross_entropies(network.logits(IMAGES[rows]), rows).mean()
            first = first + entropy_weight * (p * torch.log(p)).sum(1).mean()
            first.backward()
            optimiser.step()
            clear()
            hidden = Scale.apply(network.features(IMAGES[rows]), scale)
            second = F.cross_entropy(F.linear(hidden, *branch.values()), torch.tensor(BIAS[rows]))
            second.backward()
            optimiser.step()
            branch_optimiser.step()
            return [first.item(), second.item()]

        return {**network.parameters, **branch}, step

    return make


def irm_v1(penalty_weight, environments):
    def loss(network, rows):
        logits = network.logits(IMAGES[rows])
        size = BATCH // environments
        penalty = 0
        for e in range(environments):
            slopes = []
            for half in range(2):
                mine = slice(e * size + half * size // 2, e * size + (half + 1) * size // 2)
                scale = torch.tensor(1.0, requires_grad=True)
                risk = cross_entropies(logits[mine] * scale, rows[mine]).mean()
                slopes.append(torch.autograd.grad(risk, [scale], create_graph=True)[0])
            penalty = penalty + slopes[0] * slopes[1]
        return [cross_entropies(logits, rows).mean() + penalty_weight * penalty]

    return simple({}, loss)


def lff(q, momentum):
    biased = Network(50)
    averages = {"biased": {}, "debiased": {}}

    def normalised(name, losses, rows):
        known = averages[name]
        for row, loss in zip(rows, losses.tolist()):
            known[row] = momentum * known[row] + (1 - momentum) * loss if row in known else loss
        largest = {c: max(v for row, v in known.items() if LABELS[row] == c) for c in set(LABELS[rows])}
        return torch.tensor([known[row] / largest[LABELS[row]] for row in rows])

    def loss(network, rows):
        losses = cross_entropies(network.logits(IMAGES[rows]), rows)
        biased_logits = biased.logits(IMAGES[rows])
        b = normalised("biased", cross_entropies(biased_logits, rows), rows)
        d = normalised("debiased", losses, rows)
        p = torch.softmax(biased_logits, 1)[torch.arange(BATCH), torch.tensor(LABELS[rows])]
        weighted = ((b / (b + d)) * losses).mean()
        # Trained as the paper prints it; reported as p^q times the cross entropy, which has the same gradient.
        return [weighted + ((1 - p**q) / q).mean(), weighted - (p**q * torch.log(p)).mean()]

    extra = {f"branch/biased/{name}": value for name, value in biased.parameters.items()}
    return simple(extra, loss)


def spectral_decoupling(decay, shift, form):
    def loss(network, rows):
        logits = network.logits(IMAGES[rows])
        total = 0
        for i, row in enumerate(rows):
            label = LABELS[row]
            if form == "all-logits":
                pull = 0.5 * ((logits[i] - shift[label]) ** 2).sum()
            elif form == "true-class":
                pull = 0.5 * (logits[i, label] - shift[label]) ** 2
            else:
                pull = ((logits[i] - shift[label]) ** 2).mean()
            total = total + F.cross_entropy(logits[i], torch.tensor(label)) + decay[label] * pull
        return [total / BATCH]

    return simple({}, loss)


def domain_independent():
    """A head a combination of cues; heads that a batch has no image for move by weight decay alone."""
    heads = weights((BIAS_COUNT, CLASSES * HIDDEN), 60)
    offsets = weights((BIAS_COUNT, CLASSES), 61)

    def make(network):
        del network.parameters["head.weight"], network.parameters["head.bias"]
        parameters = {**network.parameters, "branch/heads.weight": heads, "branch/heads.bias": offsets}
        optimiser = adam(parameters.values())

        def step(rows):
            features = network.features(IMAGES[rows])
            total = 0
            for i, row in enumerate(rows):
                head = heads[BIAS[row]].reshape(CLASSES, HIDDEN)
                logits = F.linear(features[i], head, offsets[BIAS[row]])
                total = total + F.cross_entropy(logits, torch.tensor(LABELS[row]))
            optimiser.zero_grad()
            (total / BATCH).backward()
            optimiser.step()
            return [(total / BATCH).item()]

        return parameters, step

    result = run(make)
    network = Network(10)
    features = network.features(IMAGES)
    heads, offsets = weights((BIAS_COUNT, CLASSES * HIDDEN), 60), weights((BIAS_COUNT, CLASSES), 61)
    logits = [F.linear(features, heads[d].reshape(CLASSES, HIDDEN), offsets[d]) for d in range(BIAS_COUNT)]
    return {**result, "predicted": rounded(torch.stack(logits).mean(0)[:BATCH])}


VIEWS = {"original": IMAGES, "background-swap": pixels(601), "co-object-swap": pixels(602)}


def last_layer_ensemble(stop=True, freeze=False, ensemble=True, consistency=None, shift=True):
    def extras():
        named = {}
        for k, name in enumerate(VIEWS):
            named[f"branch/head-{name}.weight"] = weights((CLASSES, HIDDEN), 70 + 2 * k)
            named[f"branch/head-{name}.bias"] = weights((CLASSES,), 71 + 2 * k)
        if shift:
            named["branch/shift.weight"] = weights((len(VIEWS), HIDDEN), 80)
            named["branch/shift.bias"] = weights((len(VIEWS),), 81)
        return named if ensemble else {}

    def make(network):
        branch = extras()
        parameters = {**network.parameters, **branch}
        if ensemble:
            del parameters["head.weight"], parameters["head.bias"]
        moving = {name: p for name, p in parameters.items() if not (freeze and name.startswith("hidden"))}
        optimiser = adam(moving.values())

        def step(rows):
            truth = torch.tensor(LABELS[rows])
            losses, said = [], []
            for k, (name, images) in enumerate(VIEWS.items()):
                features = network.features(images[rows])
                if not ensemble:
                    said.append(F.linear(features, parameters["head.weight"], parameters["head.bias"]))
                    losses.append(F.cross_entropy(said[-1], truth))
                    continue
                logits = F.linear(features, branch[f"branch/head-{name}.weight"], branch[f"branch/head-{name}.bias"])
                loss = F.cross_entropy(logits, truth)
                if shift:
                    seen = features.detach() if stop else features
                    read = F.linear(seen, branch["branch/shift.weight"], branch["branch/shift.bias"])
                    loss = loss + F.cross_entropy(read, torch.full((BATCH,), k))
                losses.append(loss)
            loss = sum(losses) / len(losses)
            if consistency is not None:
                loss = losses[0] + consistency * divergence_of(said)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            return [loss.item()]

        return parameters, step

    result = run(make)
    network, branch = Network(10), extras()
    features = network.features(IMAGES)[:BATCH]
    if not ensemble:
        return {**result, "predicted": rounded(network.logits(IMAGES)[:BATCH])}
    logits = [F.linear(features, branch[f"branch/head-{k}.weight"], branch[f"branch/head-{k}.bias"]) for k in VIEWS]
    worth = torch.full((BATCH, len(VIEWS)), 1 / len(VIEWS))
    if shift:
        worth = torch.softmax(F.linear(features, branch["branch/shift.weight"], branch["branch/shift.bias"]), 1)
    predicted = sum(worth[:, k : k + 1] * each for k, each in enumerate(logits))
    return {**result, "predicted": rounded(predicted)}


def divergence_of(said):
    """As AugMix's own program writes it."""
    p = [torch.softmax(logits, 1) for logits in said]
    middle = torch.clamp(sum(p) / len(p), 1e-7, 1).log()
    return sum(F.kl_div(middle, each, reduction="batchmean") for each in p) / len(p)


def augmix(weight):
    def loss(network, rows):
        said = [network.logits(images[rows]) for images in VIEWS.values()]
        return [cross_entropies(said[0], rows).mean() + weight * divergence_of(said)]

    return simple({}, loss)


def cf_f(counterfactual, factual):
    """Of three classes: the image without its object is pushed to the other two together."""

    def loss(network, rows):
        own, without, alone = [network.logits(images[rows]) for images in VIEWS.values()]
        p = torch.softmax(without, 1)[torch.arange(BATCH), torch.tensor(LABELS[rows])]
        pushed = -torch.log(1 - p).mean()
        return [
            cross_entropies(own, rows).mean()
            + counterfactual * pushed
            + factual * cross_entropies(alone, rows).mean()
        ]

    return simple({}, loss)


def debian(balance, linear):
    discoverer = Network(50)
    split = {"branch/split.weight": weights((1, HIDDEN), 90), "branch/split.bias": weights((1,), 91)}
    seeing = {} if linear else {f"branch/discoverer/{k}": v for k, v in discoverer.parameters.items() if "hidden" in k}

    def make(network):
        optimiser = adam(network.parameters.values())
        other = adam([*seeing.values(), *split.values()])

        def sides(rows):
            """Membership of the first side, and by class that occurs: mean p_y on each, and the first one's share."""
            seen = network.features(IMAGES[rows]).detach() if linear else discoverer.features(IMAGES[rows])
            side = torch.sigmoid(F.linear(seen, *split.values()))[:, 0]
            right = torch.exp(-cross_entropies(network.logits(IMAGES[rows]), rows)).detach()
            found = {}
            for c in sorted(set(LABELS[rows])):
                mine = torch.tensor(LABELS[rows] == c)
                m, p = side[mine], right[mine]
                found[c] = ((m * p).sum() / m.sum(), ((1 - m) * p).sum() / (1 - m).sum(), m.mean())
            return side, found

        def step(rows):
            with torch.no_grad():
                side, found = sides(rows)
                worse = torch.stack(
                    [s if found[c][0] < found[c][1] else 1 - s for s, c in zip(side, LABELS[rows])]
                )
            first = ((1 + worse) * cross_entropies(network.logits(IMAGES[rows]), rows)).mean()
            optimiser.zero_grad()
            first.backward()
            optimiser.step()
            _, found = sides(rows)
            terms = [
                -torch.log((a - b).abs() + 1e-6) - balance * torch.log(1 - (share - (1 - share)).abs())
                for c, (a, b, share) in found.items()
                if (LABELS[rows] == c).sum() > 1
            ]
            second = sum(terms) / len(terms)
            other.zero_grad()
            second.backward()
            other.step()
            return [first.item(), second.item()]

        return {**network.parameters, **seeing, **split}, step

    return make


def lfmf(q, momentum, combine, second):
    biased = {"first": Network(50), "second": Network(54)}
    averages = {"debiased": {}, "first": {}, "second": {}}

    def normalised(name, losses, rows):
        known = averages[name]
        for row, loss in zip(rows, losses.tolist()):
            known[row] = momentum * known[row] + (1 - momentum) * loss if row in known else loss
        largest = {c: max(v for row, v in known.items() if LABELS[row] == c) for c in set(LABELS[rows])}
        return torch.tensor([known[row] / largest[LABELS[row]] for row in rows])

    def loss(network, rows):
        losses = cross_entropies(network.logits(IMAGES[rows]), rows)
        d = normalised("debiased", losses, rows)
        worth, trained, reported = [], [], []
        for name, its in biased.items():
            logits = its.logits(IMAGES[rows])
            b = normalised(name, cross_entropies(logits, rows), rows)
            worth.append(b / (b + d))
            p = torch.softmax(logits, 1)[torch.arange(BATCH), torch.tensor(LABELS[rows])]
            scale = worth[0] if name == "second" and second == "failures" else torch.ones(BATCH)
            trained.append((scale * (1 - p**q) / q).mean())
            reported.append(-(scale * (p**q).detach() * torch.log(p)).mean())
        both = sum(worth) / 2 if combine == "mean" else torch.maximum(*worth)
        weighted = (both * losses).mean()
        return [weighted + sum(trained), weighted + sum(reported)]

    extra = {f"branch/{k}/{name}": v for k, its in biased.items() for name, v in its.parameters.items()}
    return simple(extra, loss)


def eiil(steps, rate):
    """Soft environments of 24 images by autograd along a scale, class by class."""
    logits = torch.tensor(hash_uniform(COUNT * CLASSES, 700).astype(np.float32).astype(np.float64).reshape(COUNT, CLASSES) * 6 - 3)
    assigned = torch.tensor(hash_uniform(COUNT, 701) * 2 - 1)
    for c in range(CLASSES):
        mine = torch.tensor(LABELS == c)
        own = assigned[mine].clone().requires_grad_(True)
        optimiser = torch.optim.Adam([own], lr=rate)
        for _ in range(steps):
            q = torch.sigmoid(own)
            penalties = []
            for share in (q, 1 - q):
                scale = torch.tensor(1.0, requires_grad=True)
                losses = F.cross_entropy(logits[mine] * scale, torch.tensor(LABELS)[mine], reduction="none")
                slope = torch.autograd.grad((share * losses).mean(), [scale], create_graph=True)[0]
                penalties.append(slope**2)
            optimiser.zero_grad()
            (-torch.stack(penalties).mean()).backward()
            optimiser.step()
        assigned[mine] = own.detach()
    return {"assigned": rounded(assigned)}


def jtt(epochs, upweight):
    """Which places an epoch of the second network has, after full-batch steps of the first."""
    network = Network(10)
    optimiser = adam(network.parameters.values())
    everything = np.arange(COUNT)
    for _ in range(epochs):
        loss = cross_entropies(network.logits(IMAGES), everything).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    wrong = network.logits(IMAGES).argmax(1).numpy() != LABELS
    return {"places": sorted(everything.tolist() + everything[wrong].tolist() * (upweight - 1))}


if __name__ == "__main__":
    lists = ([0.3, 1.0, 0.1], [0.5, -0.2, 1.0])
    references = {
        "group-upweighting": run(group_upweighting()),
        "group-dro": group_dro(0.5),
        "rubi": run(rubi()),
        "lnl": run(lnl(-0.3, 0.2)),
        "irm-v1": run(irm_v1(2.0, 2)),
        "lff": run(lff(0.5, 0.7)),
        "spectral-decoupling": run(spectral_decoupling([0.1] * 3, [0.2] * 3, "all-logits")),
        "spectral-decoupling, by class": run(spectral_decoupling(*lists, "true-class")),
        "spectral-decoupling, mean": run(spectral_decoupling(*lists, "mean-square")),
        "domain-independent": domain_independent(),
        "last-layer-ensemble": last_layer_ensemble(),
        "last-layer-ensemble, gradient": last_layer_ensemble(stop=False),
        "last-layer-ensemble, frozen": last_layer_ensemble(freeze=True),
        "last-layer-ensemble, one head": last_layer_ensemble(ensemble=False),
        "last-layer-ensemble, consistency": last_layer_ensemble(ensemble=False, consistency=12),
        "last-layer-ensemble, no shift": last_layer_ensemble(shift=False),
        "jtt": jtt(5, 3),
        "augmix": run(augmix(12)),
        "cf-f": run(cf_f(0.5, 2)),
        "debian": run(debian(0.7, False)),
        "debian, linear": run(debian(0.7, True)),
        "lfmf": run(lfmf(0.7, 0.7, "mean", "start")),
        "lfmf, failures": run(lfmf(0.7, 0.7, "largest", "failures")),
        "eiil": eiil(300, 0.02),
    }
    store(__file__, references, "numpy", "torch")
