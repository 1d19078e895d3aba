"""Networks of torchvision and timm as ONNX files, by both of PyTorch's exporters, with PyTorch's logits and gradients.

    npm run referee -- torch_onnx.py
    npm run referee -- torch_onnx.py --full <folder>   full size, files and numbers into that folder

Narrow forms of at most 1 MB, with random weights, in test/references/onnx. The loss is the sum of logits times uneven
factors; of its gradients by images and by weights the length, a projection and the first numbers are stored, and the first values of
each weight: exporters fold some into others.
"""

import io
import json
import sys
import warnings
from pathlib import Path

import onnx
import timm
import torch
import torch.nn as nn
import torchvision.models as vision
from timm.models.swin_transformer import SwinTransformer as TimmSwin
from timm.models.vision_transformer import VisionTransformer as TimmViT
from torchvision.models.convnext import CNBlockConfig, ConvNeXt
from torchvision.models.efficientnet import EfficientNet, MBConvConfig
from torchvision.models.mobilenetv3 import InvertedResidualConfig, MobileNetV3
from torchvision.models.regnet import BlockParams, RegNet

from stored import store
from torch_networks import hash_uniform

warnings.filterwarnings("ignore")
# Exports are float32; torch_networks.py computes in float64 throughout.
torch.set_default_dtype(torch.float32)


class ImageTower(nn.Module):
    """CLIP's: a transformer with quick GELU, normalised before its layers, then a projection and unit length."""

    def __init__(self, trunk, width, embedding):
        super().__init__()
        self.visual = trunk
        self.proj = nn.Parameter(torch.randn(width, embedding) / width**0.5)

    def forward(self, images):
        features = self.visual(images) @ self.proj
        return features / features.norm(dim=-1, keepdim=True)


class QuickGelu(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(1.702 * x)


def thin_resnet():
    """torchvision's, with every layer an eighth as wide."""
    network = vision.resnet18(num_classes=5)
    network.conv1 = nn.Conv2d(3, 8, 7, 2, 3, bias=False)
    network.bn1 = nn.BatchNorm2d(8)
    network.inplanes = 8
    for stage, stride in enumerate((1, 2, 2)):
        setattr(network, f"layer{stage + 1}", network._make_layer(vision.resnet.BasicBlock, 8 * 2**stage, 1, stride))
    network.layer4 = nn.Identity()
    network.fc = nn.Linear(32, 5)
    return network


def narrow():
    mobile = [
        InvertedResidualConfig(8, 3, 8, 8, True, "RE", 2, 1, 0.5),
        InvertedResidualConfig(8, 5, 16, 16, True, "HS", 2, 1, 0.5),
        InvertedResidualConfig(16, 5, 32, 16, False, "HS", 1, 1, 0.5),
    ]
    efficient = [
        MBConvConfig(1, 3, 1, 8, 8, 1),
        MBConvConfig(4, 5, 2, 8, 16, 2),
    ]
    return {
        "resnet": (32, thin_resnet),
        "regnet": (32, lambda: RegNet(BlockParams([1, 1], [16, 24], [8, 8], [1.0, 1.0], [2, 2], se_ratio=0.25), num_classes=5, stem_width=8)),
        "mobilenet-v3": (32, lambda: MobileNetV3(mobile, 32, num_classes=5, dropout=0.0)),
        "efficientnet": (32, lambda: EfficientNet(efficient, 0.0, stochastic_depth_prob=0.0, num_classes=5, last_channel=32)),
        "densenet": (32, lambda: vision.DenseNet(4, (2, 2), 8, num_classes=5)),
        "convnext": (32, lambda: ConvNeXt([CNBlockConfig(8, 16, 1), CNBlockConfig(16, None, 1)], 0.0, 0.5, num_classes=5)),
        "vit": (16, lambda: vision.VisionTransformer(16, 4, 2, 2, 16, 32, num_classes=5)),
        "swin": (32, lambda: vision.SwinTransformer([2, 2], 8, [2, 2], [2, 4], [4, 4], num_classes=5, stochastic_depth_prob=0.0)),
        "timm-vit": (16, lambda: TimmViT(16, 4, num_classes=5, embed_dim=16, depth=2, num_heads=2, mlp_ratio=2)),
        "timm-swin": (32, lambda: TimmSwin(32, 2, num_classes=5, embed_dim=8, depths=(2, 2), num_heads=(2, 4), window_size=4)),
        "clip": (16, lambda: ImageTower(TimmViT(16, 4, num_classes=0, embed_dim=16, depth=2, num_heads=2, mlp_ratio=2, pre_norm=True, act_layer=QuickGelu), 16, 6)),
    }


def full():
    return {
        name: (224, make)
        for name, make in {
            "resnet50": vision.resnet50,
            "regnet-y-400mf": vision.regnet_y_400mf,
            "mobilenet-v2": vision.mobilenet_v2,
            "mobilenet-v3-small": vision.mobilenet_v3_small,
            "efficientnet-b0": vision.efficientnet_b0,
            "densenet121": vision.densenet121,
            "convnext-tiny": vision.convnext_tiny,
            "vit-b16": vision.vit_b_16,
            "swin-t": vision.swin_t,
            "timm-deit-tiny": lambda: timm.create_model("deit_tiny_patch16_224"),
            "timm-vit-clip": lambda: timm.create_model("vit_base_patch32_clip_224"),
            "timm-convnext-atto": lambda: timm.create_model("convnext_atto"),
            "timm-swin-tiny": lambda: timm.create_model("swin_tiny_patch4_window7_224"),
            "timm-efficientnet": lambda: timm.create_model("tf_efficientnet_b0"),
        }.items()
    }


def shaken(network):
    """Every weight and statistic away from its beginning, so that nothing is zero, one, or equal by chance."""
    with torch.no_grad():
        for _, parameter in network.named_parameters():
            scale = parameter.std() if parameter.numel() > 1 and parameter.std() > 0 else 0.1
            parameter.add_(torch.randn_like(parameter) * scale * 0.3)
        for module in network.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.1)
                module.running_var.uniform_(0.5, 1.5)
    return network.eval()


def summary(gradient):
    flat = gradient.flatten().double()
    probe = torch.from_numpy(hash_uniform(flat.numel(), 7)).double() - 0.5
    return {"norm": flat.norm().item(), "probe": (flat @ probe).item(), "first": flat[:6].tolist()}


def images_of(side, batch=2):
    return torch.from_numpy(hash_uniform(batch * 3 * side * side, 3)).float().reshape(batch, 3, side, side) * 4 - 2


def expected(network, images):
    """In float64, which decides no ReLU by its rounding."""
    network = network.double()
    given = images.double().requires_grad_()
    logits = network(given)
    factors = torch.from_numpy(hash_uniform(logits.numel(), 5)).double().reshape(logits.shape) - 0.5
    (logits * factors).sum().backward()
    gradients = {name: {**summary(p.grad), "values": p.flatten()[:6].tolist()} for name, p in network.named_parameters()}
    return {"logits": logits.flatten().tolist(), "images": summary(given.grad), "gradients": gradients}


def export(network, images, exporter, opset):
    if exporter == "legacy":
        stream = io.BytesIO()
        torch.onnx.export(network, (images,), stream, input_names=["images"], output_names=["logits"], dynamo=False,
                          dynamic_axes={"images": {0: "batch"}, "logits": {0: "batch"}}, opset_version=opset)
        return stream.getvalue()
    program = torch.onnx.export(network, (images,), input_names=["images"], output_names=["logits"], dynamo=True,
                                dynamic_shapes=({0: torch.export.Dim("batch")},), opset_version=opset, verbose=False)
    model = program.model_proto
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    del model.graph.value_info[:]
    return model.SerializeToString()


# The legacy exporter writes old operator sets, too.
opsets = {"legacy": {"vit": 14, "swin": 13, "densenet": 11, "convnext": 11, "mobilenet-v3": 12}, "dynamo": {}}


def main():
    is_full = len(sys.argv) > 2 and sys.argv[1] == "--full"
    folder = Path(sys.argv[2]) if is_full else Path(__file__).parent / "onnx"
    folder.mkdir(parents=True, exist_ok=True)
    reference = {}
    for name, (side, make) in (full() if is_full else narrow()).items():
        torch.manual_seed(1)
        network = shaken(make())
        images = images_of(side)
        for exporter in ("legacy", "dynamo"):
            opset = 18 if is_full else opsets[exporter].get(name, 18)
            (folder / f"{name}-{exporter}.onnx").write_bytes(export(network, images, exporter, opset))
        print(name, [(folder / f"{name}-{e}.onnx").stat().st_size for e in ("legacy", "dynamo")], flush=True)
        reference[name] = {"side": side, **expected(network, images)}
    if is_full:
        (folder / "expected.json").write_text(json.dumps(reference))
    else:
        store(__file__, reference, "torch", "torchvision", "timm", "onnx", "onnxscript")


if __name__ == "__main__":
    main()
