"""What methods that make pictures do to their weights, from PyTorch in float64: autoencoders and the lens.

    npm run referee -- torch_picture_methods.py

Pictures have odd sides, so that every halving rounds once. Weights, pictures, labels and noise come from an integer hash that the
test repeats. Encoder, decoder, discriminator and U-Net are modules of torch.nn; the bound is made of torch.distributions and
binary_cross_entropy_with_logits; permutations are sorted. Stored are losses, the terms by themselves, what the model says of the
first pictures, and of every parameter after the last step its norm, a projection and its first numbers.
"""

import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Independent, Normal, kl_divergence

from stored import store
from torch_networks import Named, describe, hash_uniform, small_cnn

torch.set_num_threads(2)
torch.set_default_dtype(torch.float64)

HEIGHT, WIDTH, CHANNELS, COUNT, BATCH, STEPS, CLASSES = 41, 33, 3, 12, 4, 4, 3
LATENT, FILTERS = 3, 4
SIDES = [(41, 33), (20, 16), (10, 8), (5, 4)]

PICTURES = torch.from_numpy(
    np.floor(hash_uniform(COUNT * HEIGHT * WIDTH * CHANNELS, 600) * 256).reshape(COUNT, HEIGHT, WIDTH, CHANNELS) / 255
).permute(0, 3, 1, 2)
LABELS = torch.from_numpy((hash_uniform(COUNT, 1) * CLASSES).astype(np.int64))


def rows_at(step):
    return [(5 * step + 7 * i) % COUNT for i in range(BATCH)]


def others_at(step):
    return [(5 * step + 7 * i + 3) % COUNT for i in range(BATCH)]


def noise(shape, salt):
    return torch.from_numpy(hash_uniform(math.prod(shape), salt) * 2 - 1).reshape(shape)


def fill(net):
    for salt, (name, parameter) in enumerate(sorted(net.named_parameters())):
        values = hash_uniform(parameter.numel(), salt + 1) * 2 - 1
        scale = math.sqrt(3 / (parameter.numel() / parameter.shape[0])) if parameter.dim() > 1 else 0.2
        values = values * scale + (1 if parameter.dim() == 1 and name.endswith("weight") else 0)
        parameter.data = torch.from_numpy(values.astype(np.float32).astype(np.float64)).reshape(parameter.shape)


def encoder():
    maps = [CHANNELS, FILTERS, FILTERS, 2 * FILTERS]
    kernels = [4, 4, 2]
    convolutions = [
        nn.Conv2d(maps[i], maps[i + 1], kernels[i], stride=2, padding=1 if kernels[i] == 4 else 0) for i in range(3)
    ]
    net = Named({f"conv{i + 1}": module for i, module in enumerate(convolutions)})
    net.add_module("dense", nn.Linear(2 * FILTERS * 20, 6))

    def forward(x):
        for convolution in convolutions:
            x = F.relu(convolution(x))
        return F.relu(net.dense(x.flatten(1)))

    return net, forward


def decoder():
    maps = [CHANNELS, FILTERS, FILTERS, 2 * FILTERS]
    steps = {
        k: nn.ConvTranspose2d(
            maps[k], maps[k - 1], 4, stride=2, padding=1, output_padding=tuple(side % 2 for side in SIDES[k - 1])
        )
        for k in (3, 2, 1)
    }
    net = Named({f"deconv{k}": module for k, module in steps.items()})
    net.add_module("dense", nn.Linear(LATENT, 8 * FILTERS))
    net.add_module("places", nn.Linear(8 * FILTERS, 2 * FILTERS * 20))

    def forward(z):
        x = F.relu(net.places(F.relu(net.dense(z)))).reshape(-1, 2 * FILTERS, 5, 4)
        return steps[1](F.relu(steps[2](F.relu(steps[3](x)))))

    return net, forward


def discriminator(width=5):
    widths = [LATENT] + [width] * 6
    net = Named({"hidden": nn.ModuleList(nn.Linear(widths[i], widths[i + 1]) for i in range(6)), "out": nn.Linear(width, 2)})

    def forward(z):
        for layer in net.hidden:
            z = F.leaky_relu(layer(z), 0.2)
        return net.out(z)

    return net, forward


def variational(beta, gamma=None, permuted="half", optimiser="sgd"):
    encode, encoded = encoder()
    decode, decoded = decoder()
    posterior = Named({"mean": nn.Linear(6, LATENT), "logVariance": nn.Linear(6, LATENT)})
    own = {"decoder": decode, "posterior": posterior}
    judge, judged = discriminator()
    if gamma is not None:
        own["discriminator"] = judge
    whole = Named({**dict(encode.named_children()), "branch": Named(own)})
    fill(whole)
    moved = [*encode.parameters(), *decode.parameters(), *posterior.parameters()]
    step = torch.optim.SGD(moved, 1e-5) if optimiser == "sgd" else torch.optim.Adam(moved, 1e-3)
    other = torch.optim.Adam(judge.parameters(), 1e-3)

    def code(pictures, salt):
        features = encoded(pictures)
        deviation = torch.exp(posterior.logVariance(features) / 2)
        q = Independent(Normal(posterior.mean(features), deviation), 1)
        return q, q.mean + deviation * noise(deviation.shape, salt)

    losses, terms = [], []
    for i in range(STEPS):
        pictures = PICTURES[rows_at(i)]
        q, z = code(pictures, 900 + i)
        reconstruction = F.binary_cross_entropy_with_logits(decoded(z), pictures, reduction="none").sum((1, 2, 3))
        prior = Independent(Normal(torch.zeros(BATCH, LATENT), torch.ones(BATCH, LATENT)), 1)
        divergence = kl_divergence(q, prior)
        loss = (reconstruction + beta * divergence).mean()
        found = [reconstruction.mean(), divergence.mean()]
        if gamma is not None:
            odds = torch.log_softmax(judged(z), 1)
            correlation = (odds[:, 0] - odds[:, 1]).mean()
            loss = loss + gamma * correlation
            found.append(correlation)
            with torch.no_grad():
                if permuted == "half":
                    joint, rest = z[: BATCH // 2], z[BATCH // 2 :]
                else:
                    joint, rest = z, code(PICTURES[others_at(i)], 1000 + i)[1]
            draws = hash_uniform(LATENT * len(rest), 950 + i).reshape(LATENT, len(rest))
            mixed = torch.stack([rest[np.argsort(np.argsort(draws[d])), d] for d in range(LATENT)], 1)
            kinds = [torch.zeros(len(joint), dtype=torch.long), torch.ones(len(mixed), dtype=torch.long)]
            told = (F.cross_entropy(judged(joint), kinds[0]) + F.cross_entropy(judged(mixed), kinds[1])) / 2
            others = torch.autograd.grad(told, list(judge.parameters()))
        slopes = torch.autograd.grad(loss, moved)
        for parameter, slope in zip(moved, slopes):
            parameter.grad = slope
        step.step()
        if gamma is not None:
            for parameter, slope in zip(judge.parameters(), others):
                parameter.grad = slope
            other.step()
        losses.append(loss.item())
        terms.append([value.item() for value in found])
    with torch.no_grad():
        means = posterior.mean(encoded(PICTURES[:2]))
        shown = torch.sigmoid(decoded(means))
    return {
        "losses": losses,
        "terms": terms,
        "weights": described(whole),
        "codes": means.flatten().tolist(),
        "reconstruction": describe(shown.permute(0, 2, 3, 1), 0),
    }


def described(net):
    return {name: describe(value, salt) for salt, (name, value) in enumerate(sorted(net.named_parameters()))}


class UNet(nn.Module):
    """Two levels below the first; group normalisation of four groups; nearest neighbours on the way up."""

    def __init__(self, width=8, depth=2):
        super().__init__()
        self.depth = depth
        for level in range(depth + 1):
            filters = width * 2**level
            if level > 0:
                self.add_module(f"halve{level}", nn.Conv2d(filters // 2, filters, 3, 2, 1))
                self.add_module(f"double{level - 1}", nn.Conv2d(filters, filters // 2, 3, 1, 1))
                self.block(f"up{level - 1}", filters, filters // 2)
            self.block(f"down{level}", CHANNELS if level == 0 else filters, filters)
        self.out = nn.Conv2d(width, CHANNELS, 1)

    def block(self, name, inputs, filters):
        self.add_module(name, Named({
            "conv1": nn.Conv2d(inputs, filters, 3, 1, 1), "norm1": nn.GroupNorm(4, filters),
            "conv2": nn.Conv2d(filters, filters, 3, 1, 1), "norm2": nn.GroupNorm(4, filters),
        }))

    def through(self, name, x):
        block = getattr(self, name)
        for part in "12":
            x = F.relu(getattr(block, f"norm{part}")(getattr(block, f"conv{part}")(x)))
        return x

    def forward(self, x):
        maps = [self.through("down0", x)]
        for level in range(1, self.depth + 1):
            maps.append(self.through(f"down{level}", getattr(self, f"halve{level}")(maps[-1])))
        y = maps[-1]
        for level in reversed(range(self.depth)):
            beside = maps[level]
            doubled = F.interpolate(y, scale_factor=2, mode="nearest")[..., : beside.shape[2], : beside.shape[3]]
            widened = getattr(self, f"double{level}")(doubled)
            y = self.through(f"up{level}", torch.cat([beside, widened], 1))
        return self.out(y)


def lens(difference, predict, weights):
    net, forward = small_cnn(CHANNELS, 4, CLASSES)
    unet = UNet()
    whole = Named({**dict(net.named_children()), "branch": Named({"lens": unet})})
    fill(whole)
    step = torch.optim.SGD(net.parameters(), 0.02)
    other = torch.optim.Adam(unet.parameters(), 1e-3)

    def changed(pictures):
        return pictures + unet(2 * pictures - 1)

    with torch.no_grad():
        said = forward(changed(PICTURES[:2]) if predict == "with-lens" else PICTURES[:2])
    losses, terms = [], []
    for i in range(STEPS):
        rows = rows_at(i)
        pictures = PICTURES[rows]
        through = changed(pictures)
        logits = forward(through)
        loss = F.cross_entropy(logits, LABELS[rows])
        adversarial = F.cross_entropy(logits, torch.softmax(logits, 1).argmin(1))
        squares = (through - pictures) ** 2
        changes = squares.mean() if difference == "mean" else squares.sum((1, 2, 3)).mean()
        held = weights[0] * adversarial + weights[1] * changes
        slopes = torch.autograd.grad(loss, list(net.parameters()), retain_graph=True)
        others = torch.autograd.grad(held, list(unet.parameters()))
        for parameters, found, optimiser in ((net.parameters(), slopes, step), (unet.parameters(), others, other)):
            for parameter, slope in zip(parameters, found):
                parameter.grad = slope
            optimiser.step()
        losses.append(loss.item())
        terms.append([adversarial.item(), changes.item()])
    with torch.no_grad():
        shown = changed(PICTURES[:2])
    return {
        "predicted": said.flatten().tolist(),
        "losses": losses,
        "terms": terms,
        "weights": described(whole),
        "lens": describe(shown.permute(0, 2, 3, 1), 0),
    }


if __name__ == "__main__":
    references = {
        "vae": variational(1),
        "vae, adam": variational(1, optimiser="adam"),
        "beta-vae": variational(6),
        "factor-vae": variational(1, 20),
        "factor-vae, second batch": variational(1, 20, "second-batch"),
        "lens": lens("mean", "with-lens", (1, 1)),
        "lens, sum": lens("sum", "without-lens", (3, 0.01)),
    }
    store(__file__, references, "numpy", "torch")
