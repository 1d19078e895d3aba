"""What PyTorch computes with files of weights that Cuelab wrote, prepared by what they say of themselves and nothing else.

    npm run build && node test/references/own-weights.mjs     # writes weights/own-*.safetensors
    npm run referee -- torch_own_weights.py

The safetensors package loads them, every tensor into its place. Images are bytes of the integer hash of torch_networks.py.
With a file as its argument, such as a run's, it prints the logits instead.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from stored import store
from torch_networks import biased_mnist_cnn, convnet, hash_uniform, logistic_regression, mlp, small_cnn, vae_encoder
from torch_zoo import AlexNet, ConvNext, DenseNet, ResNet, ViT


def network_of(about):
    """The module that a file of ours says it is of, and how to call it."""
    name, options, classes = about["model"], about["options"], len(about["classNames"])
    height, width, channels = (about["image"][key] for key in ("height", "width", "channels"))
    if name == "logistic-regression":
        return logistic_regression(height * width * channels, classes)
    if name == "mlp":
        return mlp(height * width * channels, options["width"], options["depth"], classes)
    if name == "vae-encoder":
        return vae_encoder(channels, options["width"], options["dense"], classes, (height, width))
    simple = {"mnist-convnet": convnet, "biased-mnist-cnn": biased_mnist_cnn, "small-cnn": small_cnn}
    if name in simple:
        return simple[name](channels, options["width"], classes)
    network = published(name, options, [height, width], classes)
    return network, network


def published(name, options, size, classes):
    blocks = [int(count) for count in str(options.get("blocks", "")).split(",") if count]
    widenings = {"resnet18": None, "resnet50": 1, "wide-resnet50-2": 2}
    if name in widenings:
        return ResNet(options["stem"], options["width"], blocks, widenings[name], classes)
    if name == "alexnet":
        return AlexNet(options["stem"], options["width"], classes)
    if name.startswith("densenet"):
        return DenseNet(options["stem"], options["width"], blocks, classes)
    if name == "convnext-tiny":
        return ConvNext(options["stem"], options["width"], blocks, classes)
    return ViT(size, options["patch"], options["width"], options["depth"], options["heads"], classes)


def prepared(about, images):
    """Bytes [batch, height, width, channels] as the file says that its network takes them."""
    pixels = about["pixels"]
    axes = ["batch", "height", "width", "channels"]
    order = [axes.index(axis) for axis in pixels["layout"].strip("[]").split(", ")]
    mean, deviation = np.array(pixels["mean"]), np.array(pixels["deviation"])
    return torch.from_numpy((images / pixels["scale"] - mean) / deviation).permute(order)


def logits_of(path):
    with safe_open(path, "pt") as file:
        about = json.loads(file.metadata()["cuelab"])
    network, forward = network_of(about)
    network.load_state_dict({name: tensor.double() for name, tensor in load_file(path).items()})
    network.eval()
    shape = [2, about["image"]["height"], about["image"]["width"], about["image"]["channels"]]
    images = np.floor(hash_uniform(math.prod(shape), 600) * 256).reshape(shape)
    with torch.no_grad():
        return about["model"], forward(prepared(about, images)).flatten().tolist()


if __name__ == "__main__" and len(sys.argv) > 1:
    print(json.dumps(logits_of(sys.argv[1])[1]))
elif __name__ == "__main__":
    files = sorted(Path(__file__).with_name("weights").glob("own-*.safetensors"))
    store(__file__, dict(logits_of(file) for file in files), "numpy", "safetensors", "torch")
