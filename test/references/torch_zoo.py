"""References for the larger networks from PyTorch, in float64, at reduced widths.

    npm run referee -- torch_zoo.py

The architectures are written here from their papers, with the names of torchvision's state dictionaries; torchvision
itself is not needed. Weights, images and what is stored are those of torch_networks.py.
"""

from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from stored import store
from torch_networks import Block, reference


class Bottleneck(nn.Module):
    def __init__(self, inputs, planes, stride, widening):
        super().__init__()
        inner = planes * widening
        self.conv1 = nn.Conv2d(inputs, inner, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(inner)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(inner)
        self.conv3 = nn.Conv2d(inner, planes * 4, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(planes * 4)
        self.downsample = None
        if stride != 1 or inputs != planes * 4:
            self.downsample = nn.Sequential(
                nn.Conv2d(inputs, planes * 4, 1, stride, bias=False), nn.BatchNorm2d(planes * 4))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return F.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet(nn.Module):
    """With bottlenecks of some widening, or with basic blocks where it is None."""

    def __init__(self, stem, width, blocks, widening, classes):
        super().__init__()
        self.small = stem == "small"
        self.conv1 = nn.Conv2d(3, width, *((3, 1, 1) if self.small else (7, 2, 3)), bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        inputs = width
        for stage, count in enumerate(blocks):
            planes = width * 2**stage
            layers = []
            for i in range(count):
                stride = 2 if stage > 0 and i == 0 else 1
                if widening is None:
                    layers.append(Block(inputs, planes, stride))
                    inputs = planes
                else:
                    layers.append(Bottleneck(inputs, planes, stride, widening))
                    inputs = planes * 4
            self.add_module(f"layer{stage + 1}", nn.Sequential(*layers))
        self.fc = nn.Linear(inputs, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        if not self.small:
            x = F.max_pool2d(x, 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


class AlexNet(nn.Module):
    def __init__(self, stem, width, classes):
        super().__init__()
        first = nn.Conv2d(3, width, 3, 1, 1) if stem == "small" else nn.Conv2d(3, width, 11, 4, 2)
        self.features = nn.Sequential(
            first, nn.ReLU(), nn.MaxPool2d(3, 2),
            nn.Conv2d(width, 3 * width, 5, padding=2), nn.ReLU(), nn.MaxPool2d(3, 2),
            nn.Conv2d(3 * width, 6 * width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(6 * width, 4 * width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(4 * width, 4 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(3, 2))
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        hidden = 64 * width
        self.classifier = nn.Sequential(
            nn.Dropout(0), nn.Linear(4 * width * 36, hidden), nn.ReLU(),
            nn.Dropout(0), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, classes))

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


class DenseLayer(nn.Module):
    def __init__(self, inputs, growth):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(inputs)
        self.conv1 = nn.Conv2d(inputs, 4 * growth, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(4 * growth)
        self.conv2 = nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)

    def forward(self, x):
        return torch.cat([x, self.conv2(F.relu(self.norm2(self.conv1(F.relu(self.norm1(x))))))], 1)


class DenseNet(nn.Module):
    def __init__(self, stem, growth, blocks, classes):
        super().__init__()
        channels = 2 * growth
        if stem == "small":
            parts = OrderedDict(conv0=nn.Conv2d(3, channels, 3, padding=1, bias=False),
                                norm0=nn.BatchNorm2d(channels), relu0=nn.ReLU())
        else:
            parts = OrderedDict(conv0=nn.Conv2d(3, channels, 7, 2, 3, bias=False), norm0=nn.BatchNorm2d(channels),
                                relu0=nn.ReLU(), pool0=nn.MaxPool2d(3, 2, 1))
        for stage, count in enumerate(blocks):
            dense = OrderedDict()
            for i in range(count):
                dense[f"denselayer{i + 1}"] = DenseLayer(channels, growth)
                channels += growth
            parts[f"denseblock{stage + 1}"] = nn.Sequential(dense)
            if stage < len(blocks) - 1:
                parts[f"transition{stage + 1}"] = nn.Sequential(OrderedDict(
                    norm=nn.BatchNorm2d(channels), relu=nn.ReLU(),
                    conv=nn.Conv2d(channels, channels // 2, 1, bias=False), pool=nn.AvgPool2d(2, 2)))
                channels //= 2
        parts["norm5"] = nn.BatchNorm2d(channels)
        self.features = nn.Sequential(parts)
        self.classifier = nn.Linear(channels, classes)

    def forward(self, x):
        return self.classifier(F.adaptive_avg_pool2d(F.relu(self.features(x)), 1).flatten(1))


class ChannelNorm(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Permute(nn.Module):
    def __init__(self, *order):
        super().__init__()
        self.order = order

    def forward(self, x):
        return x.permute(*self.order)


class ConvNextBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.block = nn.Sequential(
            nn.Conv2d(channels, channels, 7, padding=3, groups=channels), Permute(0, 2, 3, 1),
            nn.LayerNorm(channels, eps=1e-6), nn.Linear(channels, 4 * channels), nn.GELU(),
            nn.Linear(4 * channels, channels), Permute(0, 3, 1, 2))
        self.layer_scale = nn.Parameter(torch.ones(channels, 1, 1))

    def forward(self, x):
        return x + self.layer_scale * self.block(x)


class ConvNext(nn.Module):
    def __init__(self, stem, width, blocks, classes):
        super().__init__()
        patch = 2 if stem == "small" else 4
        parts = [nn.Sequential(nn.Conv2d(3, width, patch, patch), ChannelNorm(width, eps=1e-6))]
        for stage, count in enumerate(blocks):
            channels = width * 2**stage
            if stage > 0:
                parts.append(nn.Sequential(ChannelNorm(channels // 2, eps=1e-6),
                                           nn.Conv2d(channels // 2, channels, 2, 2)))
            parts.append(nn.Sequential(*[ConvNextBlock(channels) for _ in range(count)]))
        self.features = nn.Sequential(*parts)
        self.classifier = nn.Sequential(ChannelNorm(channels, eps=1e-6), nn.Flatten(1), nn.Linear(channels, classes))

    def forward(self, x):
        return self.classifier(F.adaptive_avg_pool2d(self.features(x), 1))


class EncoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width, eps=1e-6)
        self.self_attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.ln_2 = nn.LayerNorm(width, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0),
                                 nn.Linear(4 * width, width), nn.Dropout(0))

    def forward(self, x):
        y = self.ln_1(x)
        x = x + self.self_attention(y, y, y, need_weights=False)[0]
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    def __init__(self, count, width, depth, heads):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.zeros(1, count, width))
        self.layers = nn.Sequential(OrderedDict(
            (f"encoder_layer_{i}", EncoderLayer(width, heads)) for i in range(depth)))
        self.ln = nn.LayerNorm(width, eps=1e-6)

    def forward(self, x):
        return self.ln(self.layers(x + self.pos_embedding))


class ViT(nn.Module):
    def __init__(self, image, patch, width, depth, heads, classes):
        super().__init__()
        self.conv_proj = nn.Conv2d(3, width, patch, patch)
        self.class_token = nn.Parameter(torch.zeros(1, 1, width))
        self.encoder = Encoder((image[0] // patch) * (image[1] // patch) + 1, width, depth, heads)
        self.heads = nn.Sequential(OrderedDict(head=nn.Linear(width, classes)))

    def forward(self, x):
        x = self.conv_proj(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], 1)
        return self.heads(self.encoder(x)[:, 0])


def case(network, shape):
    optimiser = lambda parameters: torch.optim.SGD(parameters, 0.01, momentum=0.9)
    return (lambda: (network, network), shape, 1, 4, optimiser, None)


SMALL = [4, 3, 16, 16]
CASES = {
    "resnet18 small": case(ResNet("small", 8, [1, 2, 1, 1], None, 4), SMALL),
    "resnet50 small": case(ResNet("small", 8, [1, 1, 1, 1], 1, 4), SMALL),
    "resnet50 imagenet": case(ResNet("imagenet", 4, [1, 2, 1, 1], 1, 4), [4, 3, 48, 40]),
    "wide-resnet50-2 small": case(ResNet("small", 4, [1, 1, 1, 1], 2, 4), SMALL),
    "alexnet small": case(AlexNet("small", 8, 4), [4, 3, 30, 16]),
    "alexnet imagenet": case(AlexNet("imagenet", 4, 4), [2, 3, 95, 63]),
    "densenet121 small": case(DenseNet("small", 4, [2, 2, 2, 2], 4), SMALL),
    "densenet161 imagenet": case(DenseNet("imagenet", 4, [1, 2, 1, 1], 4), [4, 3, 40, 48]),
    "convnext-tiny small": case(ConvNext("small", 8, [1, 1, 1, 1], 4), SMALL),
    "convnext-tiny imagenet": case(ConvNext("imagenet", 4, [1, 1, 2, 1], 4), [3, 3, 40, 32]),
    "vit-tiny": case(ViT([16, 24], 4, 16, 2, 2, 4), [4, 3, 16, 24]),
}

if __name__ == "__main__":
    store(__file__, {name: reference(*made) for name, made in CASES.items()}, "numpy", "torch")
