"""The workloads of bench/workloads.mjs in PyTorch: a number on stdin runs one for so many seconds.

Started by bench/engine.mjs as `python3 engine_torch.py <workload> <threads> <layout>`, where the layout is that of
images in memory, `channels-first` (PyTorch's default) or `channels-last`; answers one JSON line each time.
"""

import json
import resource
import sys
import time

import torch
from torch import nn
from torch.nn import functional


def convolutions_with_norms():
    layers = []
    channels = 2
    for filters, stride in ((64, 1), (128, 2), (128, 1), (128, 1)):
        layers += [nn.Conv2d(channels, filters, 3, stride, 1), nn.ReLU(), nn.GroupNorm(8, filters)]
        channels = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 2))


def strided():
    return nn.Sequential(
        nn.Conv2d(3, 32, 3, 1, 1), nn.MaxPool2d(2), nn.ReLU(),
        nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(),
        nn.Conv2d(64, 128, 3, 2, 1), nn.ReLU(),
        nn.Conv2d(128, 128, 3, 1, 1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 10),
    )


def biased_mnist():
    return nn.Sequential(
        nn.BatchNorm2d(3),
        nn.Conv2d(3, 32, 5, 1, 2), nn.MaxPool2d(3, 2, 1), nn.ReLU(),
        nn.Conv2d(32, 32, 3, 1, 1), nn.ReLU(),
        nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(),
        nn.Conv2d(64, 64, 3, 2, 1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10),
    )


class BasicBlock(nn.Module):
    def __init__(self, channels, filters, stride):
        super().__init__()
        self.first = nn.Conv2d(channels, filters, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(filters)
        self.second = nn.Conv2d(filters, filters, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(filters)
        self.shortcut = None
        if stride > 1:
            narrow = nn.Conv2d(channels, filters, 1, stride, bias=False)
            self.shortcut = nn.Sequential(narrow, nn.BatchNorm2d(filters))

    def forward(self, x):
        y = functional.relu(self.first_norm(self.first(x)), inplace=True)
        y = self.second_norm(self.second(y))
        return functional.relu(y + (x if self.shortcut is None else self.shortcut(x)), inplace=True)


def resnet18():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for filters in (64, 128, 256, 512):
        layers += [BasicBlock(channels, filters, 1 if filters == 64 else 2), BasicBlock(filters, filters, 1)]
        channels = filters
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))


class Autoencoder(nn.Module):
    """Locatello et al. 2019 with a fifth stage for 128 pixels; pixels of bytes as probabilities."""

    def __init__(self, latent=12):
        super().__init__()
        maps, kernels = (3, 32, 32, 64, 64, 64), (4, 4, 2, 2, 2)
        encoder = []
        for i, kernel in enumerate(kernels):
            encoder += [nn.Conv2d(maps[i], maps[i + 1], kernel, 2, 1 if kernel == 4 else 0), nn.ReLU()]
        self.encoder = nn.Sequential(*encoder, nn.Flatten(), nn.Linear(64 * 16, 256), nn.ReLU())
        self.mean, self.log_variance = nn.Linear(256, latent), nn.Linear(256, latent)
        decoder = [nn.Linear(latent, 256), nn.ReLU(), nn.Linear(256, 64 * 16), nn.ReLU(), nn.Unflatten(1, (64, 4, 4))]
        for i in range(5, 0, -1):
            decoder += [nn.ConvTranspose2d(maps[i], maps[i - 1], 4, 2, 1)] + ([nn.ReLU()] if i > 1 else [])
        self.decoder = nn.Sequential(*decoder)

    def loss(self, images):
        pixels = images.permute(0, 3, 1, 2).float() / 255
        features = self.encoder(pixels)
        mean, log_variance = self.mean(features), self.log_variance(features)
        codes = mean + torch.exp(log_variance / 2) * torch.randn_like(mean)
        logits = self.decoder(codes)
        reconstruction = functional.binary_cross_entropy_with_logits(logits, pixels, reduction="sum")
        divergence = 0.5 * (mean**2 + log_variance.exp() - log_variance - 1).sum()
        return (reconstruction + divergence) / len(images)


WORKLOADS = {
    "a": (convolutions_with_norms, (64, 2, 28, 28), 2),
    "b": (strided, (128, 3, 80, 80), 10),
    "c": (resnet18, (32, 3, 64, 64), 10),
    "d": (lambda: nn.Linear(512, 10), (10000, 512), 10),
    "e": (biased_mnist, (128, 3, 96, 96), 10),
    "f": (resnet18, (64, 3, 128, 128), 10),
    "g": (Autoencoder, (64, 128, 128, 3), 0),
}


def main():
    name = sys.argv[1]
    torch.set_num_threads(int(sys.argv[2]))
    build, shape, classes = WORKLOADS[name]
    torch.manual_seed(0)
    network = build().train()
    bytes_ = shape[-1] == 3
    images = torch.randint(0, 256, shape, dtype=torch.uint8) if bytes_ else torch.rand(*shape) * 2 - 1
    if sys.argv[3] == "channels-last":
        network = network.to(memory_format=torch.channels_last)
        # Bytes have their channels last already.
        images = images if bytes_ else images.contiguous(memory_format=torch.channels_last)
    labels = torch.randint(0, max(1, classes), (shape[0],))
    if name == "d":
        optimiser = torch.optim.SGD(network.parameters(), lr=1e-3)
    else:
        optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = network.loss(images) if bytes_ else functional.cross_entropy(network(images), labels)
        loss.backward()
        optimiser.step()
        return loss.item()

    print(json.dumps({"ready": True, "version": torch.__version__}), flush=True)
    for line in sys.stdin:
        wall, processor = [], []
        begin = time.process_time()
        # What others did meanwhile is still in the caches: the first step does not count.
        step()
        end = time.perf_counter() + float(line)
        while time.perf_counter() < end or len(wall) < 3:
            start, used = time.perf_counter(), time.process_time()
            step()
            wall.append(1000 * (time.perf_counter() - start))
            processor.append(1000 * (time.process_time() - used))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        used = 1000 * (time.process_time() - begin)
        print(json.dumps({"wall": wall, "processor": processor, "all": used, "peakMB": round(peak)}), flush=True)


main()
