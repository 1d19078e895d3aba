"""Grad-CAM and integrated gradients by PyTorch's autograd, of the networks that torch_onnx.py has made files of.

    npm run referee -- torch_saliency.py

Images are bytes, which the network takes as (byte - 128) / 64. Grad-CAM: the map that the average pooling takes, weighed by
the mean gradient of the class's logit, through ReLU, stretched by interpolate(mode="bilinear", align_corners=False). Integrated
gradients: the trapezoid rule from one colour to the image, summed over channels, for several numbers of points.
"""

import torch
import torch.nn.functional as F
from stored import store
from torch_networks import hash_uniform
from torch_onnx import narrow, shaken, summary

torch.set_default_dtype(torch.float32)
torch.set_num_threads(1)

FILL = (100.0, 120.0, 140.0)
CLASSES = (1, 3)


def bytes_of(side):
    return torch.from_numpy(hash_uniform(2 * side * side * 3, 11) * 256).floor().double().reshape(2, side, side, 3)


def prepared(images):
    return (images.permute(0, 3, 1, 2) - 128) / 64


def grad_cam(network, images):
    kept = []
    hook = network.avgpool.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
    logits = network(prepared(images))
    hook.remove()
    chosen = logits[torch.arange(2), torch.tensor(CLASSES)].sum()
    (slope,) = torch.autograd.grad(chosen, kept[0])
    cam = F.relu((slope.mean((2, 3), keepdim=True) * kept[0]).sum(1, keepdim=True))
    side = images.shape[1]
    large = F.interpolate(cam, (side, side), mode="bilinear", align_corners=False)
    return logits, cam, large[:, 0]


def integrated(network, images, points):
    start = torch.tensor(FILL, dtype=torch.float64).reshape(1, 1, 1, 3)
    way = images - start
    total = torch.zeros_like(images)
    for i in range(points + 1):
        at = (start + way * (i / points)).detach().requires_grad_()
        chosen = network(prepared(at))[torch.arange(2), torch.tensor(CLASSES)].sum()
        (slope,) = torch.autograd.grad(chosen, at)
        total += slope * (0.5 if i in (0, points) else 1.0) / points
    return (total * way).sum(3)


def main():
    reference = {}
    for name, (side, make) in narrow().items():
        torch.manual_seed(1)
        network = shaken(make()).double()
        if not hasattr(network, "avgpool"):
            continue
        images = bytes_of(side)
        logits, cam, large = grad_cam(network, images)
        reference[name] = {
            "side": side,
            "logits": logits.flatten().tolist(),
            "small": list(cam.shape[2:]),
            "gradCam": [{**summary(each), "largest": each.max().item()} for each in large.detach()],
            "integrated": {
                points: [summary(each) for each in integrated(network, images, points)] for points in (16, 32, 64)
            },
        }
        print(name, cam.shape, [each.max().item() for each in large], flush=True)
    store(__file__, reference, "torch", "torchvision", "timm")


if __name__ == "__main__":
    main()
