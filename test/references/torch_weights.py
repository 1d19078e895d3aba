"""Files of weights as others write them, and what PyTorch computes with them.

    npm run referee -- torch_weights.py

The files, weights/*-timm.safetensors and weights/*-old.safetensors, are written by hand from the published format,
without the safetensors package. torch_own_weights.py goes the other way.
"""

import json
import re
import struct
from pathlib import Path

import numpy as np
import torch

from stored import store
from torch_networks import fill, hash_uniform
from torch_zoo import ConvNext, DenseNet, ViT

FOLDER = Path(__file__).with_name("weights")


def save(path, tensors):
    header, data = {}, b""
    for name, (kind, array) in tensors.items():
        raw = array.tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def as_float32(tensor):
    return "F32", tensor.numpy().astype("<f4")


def as_half(tensor):
    return "F16", tensor.numpy().astype("<f2")


def as_brain(tensor):
    return "BF16", (tensor.numpy().astype("<f4").view("<u4") >> 16).astype("<u2")


def back(kind, array):
    if kind == "BF16":
        return torch.from_numpy((array.astype("<u4") << 16).view("<f4").astype(np.float64))
    return torch.from_numpy(array.astype(np.float64))


def timm_convnext(name):
    """As timm's convnext.py has it."""
    name = re.sub(r"^features\.0\.", "stem.", name)
    name = re.sub(r"^features\.([246])\.", lambda m: f"stages.{int(m[1]) // 2}.downsample.", name)
    name = re.sub(r"^features\.([1357])\.", lambda m: f"stages.{int(m[1]) // 2}.blocks.", name)
    for ours, theirs in {"block.0": "conv_dw", "block.2": "norm", "block.3": "mlp.fc1", "block.5": "mlp.fc2",
                         "layer_scale": "gamma", "classifier.0": "head.norm", "classifier.2": "head.fc"}.items():
        name = name.replace(ours, theirs)
    return name


def timm_vit(name):
    """As timm's vision_transformer.py has it."""
    for ours, theirs in {"encoder.layers.encoder_layer_": "blocks.", "encoder.pos_embedding": "pos_embed",
                         "encoder.ln": "norm", "class_token": "cls_token", "conv_proj": "patch_embed.proj",
                         "heads.head": "head", "ln_1": "norm1", "ln_2": "norm2", "self_attention.in_proj_": "attn.qkv.",
                         "self_attention.out_proj": "attn.proj", "mlp.0": "mlp.fc1", "mlp.3": "mlp.fc2"}.items():
        name = name.replace(ours, theirs)
    return name


def old_vit(name):
    return name.replace("mlp.0", "mlp.linear_1").replace("mlp.3", "mlp.linear_2")


def old_densenet(name):
    return re.sub(r"(denselayer\d+\.(?:norm|conv))([12])", r"\1.\2", name)


def images(shape):
    return torch.from_numpy(np.floor(hash_uniform(int(np.prod(shape)), 600) * 256) / 255).reshape(shape).float().double()


def make(file, network, rename, stored_as, shape):
    fill(network)
    for name, buffer in network.named_buffers():
        if "running" in name:
            buffer.copy_(torch.from_numpy(hash_uniform(buffer.numel(), 7) * 0.5 + (0.75 if "var" in name else -0.25)))
    state = network.state_dict()
    tensors, rounded = {}, {}
    for name, tensor in state.items():
        if name.endswith("num_batches_tracked"):
            tensors[rename(name)] = ("I64", np.array(123, "<i8"))
            continue
        kind, array = stored_as(tensor)
        rounded[name] = back(kind, array)
        if name.endswith("layer_scale") and rename(name) != name:
            array = array.reshape(-1)
        tensors[rename(name)] = (kind, array)
    save(f"{FOLDER}/{file}.safetensors", tensors)
    network.load_state_dict(rounded, strict=False)
    network.eval()
    return network(images(shape))[0].tolist()


if __name__ == "__main__":
    torch.manual_seed(0)
    with torch.no_grad():
        results = {
            "convnext-timm": make("convnext-timm", ConvNext("small", 4, [1, 1, 1, 1], 4), timm_convnext, as_float32,
                                  [1, 3, 16, 16]),
            "vit-timm": make("vit-timm", ViT([16, 16], 4, 16, 1, 2, 4), timm_vit, as_half, [1, 3, 16, 16]),
            "vit-old": make("vit-old", ViT([16, 16], 4, 16, 1, 2, 4), lambda name: "module." + old_vit(name), as_brain,
                            [1, 3, 16, 16]),
            "densenet-old": make("densenet-old", DenseNet("small", 4, [1, 1, 1, 1], 4), old_densenet, as_float32,
                                 [1, 3, 16, 16]),
        }
        grid = torch.from_numpy(hash_uniform(9 * 2, 11)).reshape(1, 3, 3, 2).permute(0, 3, 1, 2)
        stretched = torch.nn.functional.interpolate(grid, (2, 5), mode="bicubic", align_corners=True)
        results["positions"] = stretched.permute(0, 2, 3, 1).reshape(-1).tolist()
    store(__file__, results, "numpy", "torch")
