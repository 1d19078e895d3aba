"""Whole-network references from PyTorch, in float64.

    npm run referee -- torch_networks.py

Weights and images come from an integer hash that the tests repeat, so only results are stored: logits, the first
step's gradients in short, and the losses of five steps.
"""

import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from stored import store

torch.set_num_threads(2)
torch.set_default_dtype(torch.float64)


def hash_uniform(count, salt):
    """Uniform on [0, 1) in steps of 2^-24: murmur3's finaliser of index and salt."""
    x = (np.arange(count, dtype=np.uint64) * 2654435761 + salt * 40503 + 1) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x85EBCA6B) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 0xC2B2AE35) & 0xFFFFFFFF
    x ^= x >> 16
    return (x >> 8).astype(np.float64) / 2**24


class Named(nn.Module):
    """Modules under the names that Cuelab gives them."""

    def __init__(self, modules):
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)


def convnet(channels=2, width=64, classes=2):
    maps = [channels, width, 2 * width, 2 * width, 2 * width]
    modules = {}
    for i in range(4):
        modules[f"conv{i}"] = nn.Conv2d(maps[i], maps[i + 1], 3, stride=2 if i == 1 else 1, padding=1)
        modules[f"norm{i}"] = nn.GroupNorm(8, maps[i + 1])
    net = Named({**modules, "head": nn.Linear(2 * width, classes)})

    def forward(x):
        for i in range(4):
            x = modules[f"norm{i}"](F.relu(modules[f"conv{i}"](x)))
        return net.head(x.mean((2, 3)))

    return net, forward


def biased_mnist_cnn(channels=3, width=32, classes=10):
    net = Named({
        "norm": nn.BatchNorm2d(channels),
        "conv1": nn.Conv2d(channels, width, 5, padding=2),
        "conv2": nn.Conv2d(width, width, 3, padding=1),
        "conv3": nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
        "conv4": nn.Conv2d(2 * width, 2 * width, 3, stride=2, padding=1),
        "head": nn.Linear(2 * width, classes),
    })

    def forward(x):
        x = F.max_pool2d(F.relu(net.conv1(net.norm(x))), 3, 2, 1)
        x = F.relu(net.conv4(F.relu(net.conv3(F.relu(net.conv2(x))))))
        return net.head(x.mean((2, 3)))

    return net, forward


def small_cnn(channels=3, width=8, classes=4):
    net = Named({
        "conv1": nn.Conv2d(channels, width, 3, padding=1),
        "conv2": nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
        "conv3": nn.Conv2d(2 * width, 4 * width, 3, stride=2, padding=1),
        "conv4": nn.Conv2d(4 * width, 4 * width, 3, padding=1),
        "head": nn.Linear(4 * width, classes),
    })

    def forward(x):
        x = F.max_pool2d(F.relu(net.conv1(x)), 2)
        x = F.relu(net.conv4(F.relu(net.conv3(F.relu(net.conv2(x))))))
        return net.head(x.mean((2, 3)))

    return net, forward


def vae_encoder(channels=3, width=4, dense=8, classes=4, size=(32, 32)):
    sides, maps, convolutions = list(size), channels, []
    while min(sides) >= 8:
        stage = len(convolutions)
        filters, kernel = (width, 4) if stage < 2 else (2 * width, 2)
        convolutions.append(nn.Conv2d(maps, filters, kernel, stride=2, padding=1 if kernel == 4 else 0))
        maps, sides = filters, [side // 2 for side in sides]
    net = Named({f"conv{i + 1}": convolution for i, convolution in enumerate(convolutions)})
    net.add_module("dense", nn.Linear(maps * sides[0] * sides[1], dense))
    net.add_module("head", nn.Linear(dense, classes))

    def forward(x):
        for convolution in convolutions:
            x = F.relu(convolution(x))
        return net.head(F.relu(net.dense(x.flatten(1))))

    return net, forward


def mlp(inputs=48, width=32, depth=2, classes=3):
    hidden = nn.ModuleList([nn.Linear(inputs if i == 0 else width, width) for i in range(depth)])
    net = Named({"hidden": hidden, "head": nn.Linear(width, classes)})

    def forward(x):
        x = x.flatten(1)
        for layer in hidden:
            x = F.relu(layer(x))
        return net.head(x)

    return net, forward


def logistic_regression(inputs=48, classes=3):
    net = Named({"head": nn.Linear(inputs, classes)})
    return net, lambda x: net.head(x.flatten(1))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (x if self.downsample is None else self.downsample(x)))


def resnet18():
    widths = [64, 64, 128, 256, 512]
    modules = {"conv1": nn.Conv2d(3, 64, 7, 2, 3, bias=False), "bn1": nn.BatchNorm2d(64)}
    for i in range(1, 5):
        modules[f"layer{i}"] = nn.Sequential(
            Block(widths[i - 1], widths[i], 1 if i == 1 else 2), Block(widths[i], widths[i], 1))
    net = Named({**modules, "fc": nn.Linear(512, 5)})

    def forward(x):
        x = F.max_pool2d(F.relu(net.bn1(net.conv1(x))), 3, 2, 1)
        for i in range(1, 5):
            x = modules[f"layer{i}"](x)
        return net.fc(x.mean((2, 3)))

    return net, forward


CASES = {
    "logistic-regression": (logistic_regression, [6, 3, 4, 4], 1, 3,
                            lambda p: torch.optim.SGD(p, 0.1), None),
    "mlp": (mlp, [6, 3, 4, 4], 1, 3, lambda p: torch.optim.AdamW(p, 0.01, weight_decay=0.05), "cosine"),
    "mnist-convnet": (convnet, [4, 2, 8, 8], 1, 2, lambda p: torch.optim.Adam(p, 1e-3), None),
    "biased-mnist-cnn": (biased_mnist_cnn, [4, 3, 16, 16], 255, 10,
                         lambda p: torch.optim.Adam(p, 1e-3, weight_decay=0.01), None),
    "small-cnn": (small_cnn, [5, 3, 16, 16], 1, 4,
                  lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, nesterov=True, weight_decay=5e-4), "clip"),
    "vae-encoder": (vae_encoder, [4, 3, 32, 32], 1, 4, lambda p: torch.optim.Adam(p, 1e-3), None),
    "resnet18": (resnet18, [4, 3, 64, 64], 1, 5, lambda p: torch.optim.SGD(p, 0.01, momentum=0.9), None),
}


def fill(net):
    """Weights of the size that keeps activations alive; norms near one, so that no gradient is zero by symmetry."""
    for salt, (name, parameter) in enumerate(sorted(net.named_parameters())):
        values = hash_uniform(parameter.numel(), salt + 1) * 2 - 1
        if parameter.dim() > 1:
            values = values * math.sqrt(6 / (parameter.numel() / parameter.shape[0]))
        else:
            values = values * 0.2 + (1 if name.endswith("weight") else 0)
        # Weights start as the float32 numbers that the engine holds.
        values = values.astype(np.float32).astype(np.float64)
        parameter.data = torch.from_numpy(values).reshape(parameter.shape)


def describe(tensor, salt):
    flat = tensor.detach().reshape(-1).numpy()
    probe = hash_uniform(flat.size, salt + 1000) * 2 - 1
    return {"norm": float(np.linalg.norm(flat)), "probe": float(flat @ probe), "first": flat[:4].tolist()}


def reference(make, shape, scale, classes, optimiser, extra):
    net, forward = make()
    fill(net)
    images = torch.from_numpy(np.floor(hash_uniform(math.prod(shape), 600) * 256) / 255 * scale).reshape(shape)
    images = images.float().double()
    labels = torch.from_numpy((hash_uniform(shape[0], 501) * classes).astype(np.int64))
    step = optimiser(net.parameters())
    base = step.param_groups[0]["lr"]
    losses, result = [], {}
    for i in range(5):
        if extra == "cosine":
            step.param_groups[0]["lr"] = base * (1 + math.cos(math.pi * i / 5)) / 2
        logits = forward(images)
        loss = F.cross_entropy(logits, labels)
        step.zero_grad()
        loss.backward()
        if i == 0:
            result["logits"] = logits[0].tolist()
            result["gradients"] = {name: describe(parameter.grad, salt)
                                   for salt, (name, parameter) in enumerate(sorted(net.named_parameters()))}
        if extra == "clip":
            torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        step.step()
        losses.append(loss.item())
    buffers = {name: describe(buffer, 0) for name, buffer in net.named_buffers() if "running" in name}
    net.eval()
    return {**result, "losses": losses, "statistics": buffers, "evaluationLogits": forward(images)[0].tolist()}


if __name__ == "__main__":
    store(__file__, {name: reference(*case) for name, case in CASES.items()}, "numpy", "torch")
