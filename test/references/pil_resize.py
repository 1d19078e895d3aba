"""Faces cut and resized by Pillow: the reference of src/images/resize.test.ts.

    npm run referee -- pil_resize.py

The cut is torchvision's CenterCrop written out, for a 178 wide, 218 high image (and others); the resizing is what
torchvision's Resize does to a PIL image. Digests are SHA-256 of the bytes, rows first.
"""

import hashlib

import numpy as np
from PIL import Image

from stored import store


def image(height: int, width: int) -> np.ndarray:
    """A picture by formula, with sharp edges and smooth parts: all whole numbers."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
    return ((x * x * 7 + y * y * 13 + x * y * 5 + c * 101 + (x // 9 + y // 7) % 2 * 90) % 256).astype(np.uint8)


def main() -> None:
    cases = []
    for height, width, to in [
        (218, 178, 224),
        (218, 178, 178),
        (218, 178, 64),
        (218, 178, 16),
        (101, 100, 32),
        (100, 103, 97),
    ]:
        side = min(height, width)
        top, left = int(round((height - side) / 2.0)), int(round((width - side) / 2.0))
        cut = Image.fromarray(image(height, width)).crop((left, top, left + side, top + side))
        resized = np.asarray(cut.resize((to, to), Image.Resampling.BILINEAR))
        cases.append(
            {
                "height": height,
                "width": width,
                "to": to,
                "cut": hashlib.sha256(np.asarray(cut).tobytes()).hexdigest(),
                "corner": [int(v) for v in resized[:2, :2].reshape(-1)],
                "middle": [int(v) for v in resized[to // 2, to // 2]],
                "sha256": hashlib.sha256(resized.tobytes()).hexdigest(),
            }
        )
    store(__file__, cases, "numpy", "pillow")


main()
