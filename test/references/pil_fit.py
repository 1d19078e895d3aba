"""Photographs of any shape brought to squares by Pillow: the reference of src/images/fit.test.ts.

    npm run referee -- pil_fit.py

`crop` is torchvision's Resize and CenterCrop written out, `pad` is ImageOps.pad, `stretch` is Image.resize. Digests are SHA-256 of
the bytes, rows first.
"""

import hashlib

import numpy as np
from PIL import Image, ImageOps

from stored import store


def image(height: int, width: int) -> np.ndarray:
    """A picture by formula, with sharp edges and smooth parts: all whole numbers."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return ((x * x * 7 + y * y * 13 + x * y * 5 + c * 101 + (x // 9 + y // 7) % 2 * 90) % 256).astype(np.uint8)


def crop(picture: Image.Image, size: int) -> Image.Image:
    width, height = picture.size
    shorter, longer = min(width, height), max(width, height)
    other = int(size * longer / shorter)
    picture = picture.resize((size, other) if width <= height else (other, size), Image.Resampling.BILINEAR)
    left, top = int(round((picture.width - size) / 2.0)), int(round((picture.height - size) / 2.0))
    return picture.crop((left, top, left + size, top + size))


def main() -> None:
    cases = []
    for height, width, size in [(120, 90, 32), (75, 101, 64), (40, 30, 64), (33, 100, 20)]:
        picture = Image.fromarray(image(height, width))
        ways = {
            "crop": crop(picture, size),
            "pad": ImageOps.pad(picture, (size, size), Image.Resampling.BILINEAR, color=(0, 0, 0)),
            "stretch": picture.resize((size, size), Image.Resampling.BILINEAR),
        }
        for fit, found in ways.items():
            digest = hashlib.sha256(np.asarray(found).tobytes()).hexdigest()
            cases.append({"height": height, "width": width, "size": size, "fit": fit, "sha256": digest})
    store(__file__, cases, "numpy", "pillow")


main()
