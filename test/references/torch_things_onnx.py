"""A segmenter, a map of the thing alone, an inpainter, and a detector in the forms that torchvision exports them in: the reference of test/things.test.ts.

    npm run referee -- torch_things_onnx.py

They find what is bright and red, by weights that are set by hand, so that what they must find is known without them; the detector's
boxes are torchvision's own non-maximum suppression of five by hand. Stored is what PyTorch says of pictures.
"""

import io
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn as nn
import torchvision

from stored import store

warnings.filterwarnings("ignore")
folder = Path(__file__).parent / "things-onnx"
height, width = 48, 64


def picture(left: int, top: int) -> np.ndarray:
    """Blue-grey noise by formula, with a red square of 16 pixels."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    image = ((x * 5 + y * 3 + c * 40) % 60 + 40).astype(np.uint8)
    image[top : top + 16, left : left + 16] = [250, 20, 10]
    return image


class Red(nn.Module):
    """How red each place is: logits of background, thing, and a class that never wins."""

    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1)
        with torch.no_grad():
            self.conv.weight.zero_()
            self.conv.bias.zero_()
            thing = 0 if channels == 1 else 1
            self.conv.weight[thing, :, 1, 1] = torch.tensor([2.0, -1.0, -1.0])
            self.conv.bias[thing] = -1
            if channels > 1:
                self.conv.bias[2] = -9

    def forward(self, x):
        return self.conv(x)


class Share(nn.Module):
    def __init__(self):
        super().__init__()
        self.red = Red(1)

    def forward(self, x):
        found = torch.sigmoid(4 * self.red(x))
        return found, found * 0.5


class Detector(nn.Module):
    """A box around all red places, another of little score, and one that overlaps the first."""

    def forward(self, image):
        red = (image[0] - image[1] - image[2] > 0.3).float()
        columns, rows = red.amax(0), red.amax(1)
        across, down = torch.arange(columns.shape[0]).float(), torch.arange(rows.shape[0]).float()
        far = 1e4
        left, right = (across + far * (1 - columns)).amin(), (across - far * (1 - columns)).amax() + 1
        top, bottom = (down + far * (1 - rows)).amin(), (down - far * (1 - rows)).amax() + 1
        first = torch.stack([left, top, right, bottom])
        boxes = torch.stack([torch.tensor([1.0, 1.0, 9.0, 9.0]), first + 0.4, first, torch.tensor([2.0, 2.0, 5.0, 40.0])])
        scores = torch.tensor([0.2, 0.6, 0.9, 0.7])
        labels = torch.tensor([3, 1, 1, 2])
        kept = torchvision.ops.nms(boxes, scores, 0.5)
        return boxes[kept], labels[kept], scores[kept]


class Fill(nn.Module):
    """Fills the hole with the mean colour of what is known; from 0 to 1, to bytes, as LaMa's exports."""

    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, image, mask):
        known = 1 - mask
        mean = (image * known).sum((2, 3), keepdim=True) / known.sum((2, 3), keepdim=True)
        return (image * known + mean * mask) * self.scale


def export(module, sample, name, given, outputs, axes):
    stream = io.BytesIO()
    samples, names = (sample, given) if isinstance(sample, tuple) else ((sample,), [given])
    torch.onnx.export(module.eval(), samples, stream, input_names=names, output_names=outputs, dynamo=False, dynamic_axes=axes, opset_version=17)
    model = onnx.load_from_string(stream.getvalue())
    for node in model.graph.node:
        node.doc_string = ""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
    print(name, (folder / f"{name}.onnx").stat().st_size, flush=True)


def main():
    places = [(8, 4), (40, 28), (24, 16)]
    pictures = [picture(*place) for place in places]
    unit = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float() / 255
    detector = Detector()
    export(Red(3), unit[:1], "segmenter", "input", ["out"], {"input": {0: "n", 2: "h", 3: "w"}, "out": {0: "n", 2: "h", 3: "w"}})
    export(Share(), unit[:1], "saliency", "input", ["fine", "coarse"], {})
    export(detector, unit[0], "detector", "image", ["boxes", "labels", "scores"], {"image": {1: "h", 2: "w"}, "boxes": {0: "n"}, "labels": {0: "n"}, "scores": {0: "n"}})
    hole = torch.zeros(1, 1, 32, 32)
    hole[..., 8:20, 8:20] = 1
    small = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    export(Fill(255), (small, hole), "inpainter", ["image", "mask"], ["output"], {})
    found = [[value.tolist() for value in detector(image)] for image in unit]
    store(__file__, {"height": height, "width": width, "places": places, "boxes": [{"boxes": b, "labels": l, "scores": s} for b, l, s in found]}, "torch", "torchvision", "onnx")


if __name__ == "__main__":
    main()
