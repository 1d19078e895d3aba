"""AdaIN in PyTorch with small made-up weights, with and without a first convolution that standardises pixels.

    npm run referee -- torch_adain.py
"""

import torch
from torch import nn

from stored import store
from torch_networks import hash_uniform

WIDTHS = [3, 4, 4, 6, 6, 8, 8, 8, 8, 10]
MIRRORED = [10, 8, 8, 8, 8, 6, 6, 4, 4, 3]


def values(shape, salt, scale):
    count = torch.Size(shape).numel()
    return torch.tensor((hash_uniform(count, salt) - 0.5) * scale, dtype=torch.float64).reshape(shape)


def convolution(inputs, filters, kernel, salt):
    layer = nn.Conv2d(inputs, filters, kernel, dtype=torch.float64)
    layer.weight.data = values(layer.weight.shape, salt, 1.2)
    layer.bias.data = values(layer.bias.shape, salt + 500, 0.4)
    return nn.Sequential(nn.ReflectionPad2d(1), layer) if kernel == 3 else layer


def encoder(first):
    layers = [convolution(3, 3, 1, 90)] if first else []
    for at in range(9):
        if at in (2, 4, 8):
            layers.append(nn.MaxPool2d(2))
        layers += [convolution(WIDTHS[at], WIDTHS[at + 1], 3, 100 + at), nn.ReLU()]
    return nn.Sequential(*layers)


def decoder():
    layers = []
    for at in range(9):
        layers.append(convolution(MIRRORED[at], MIRRORED[at + 1], 3, 200 + at))
        if at < 8:
            layers.append(nn.ReLU())
        if at in (0, 4, 6):
            layers.append(nn.Upsample(scale_factor=2, mode="nearest"))
    return nn.Sequential(*layers)


def moments(x):
    flat = x.flatten(2)
    return flat.mean(2)[..., None, None], (flat.var(2) + 1e-5).sqrt()[..., None, None]


def stylised(first, strength):
    encode, decode = encoder(first), decoder()
    bytes_of = lambda salt: torch.tensor((hash_uniform(16 * 24 * 3, salt) * 256).astype("uint8")).reshape(1, 16, 24, 3)
    unit = lambda images: images.permute(0, 3, 1, 2).double() / 255
    mean = torch.tensor([0.485, 0.456, 0.406], dtype=torch.float64).reshape(1, 3, 1, 1)
    deviation = torch.tensor([0.229, 0.224, 0.225], dtype=torch.float64).reshape(1, 3, 1, 1)
    start = unit if first else lambda images: (unit(images) - mean) / deviation
    content, style = encode(start(bytes_of(1))), encode(start(bytes_of(2)))
    (own, spread), (wanted, wanted_spread) = moments(content), moments(style)
    target = (content - own) / spread * wanted_spread + wanted
    painted = decode(strength * target + (1 - strength) * content)
    return (painted * 255).permute(0, 2, 3, 1).flatten().tolist()


if __name__ == "__main__":
    with torch.no_grad():
        cases = [{"first": first, "strength": s, "image": stylised(first, s)} for first, s in ((True, 1), (False, 0.6))]
    store(__file__, {"widths": WIDTHS, "mirrored": MIRRORED, "cases": cases}, "torch", "numpy")
