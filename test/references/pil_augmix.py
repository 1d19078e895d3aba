"""AugMix's nine changes as Pillow makes them, of two small images.

    npm run referee -- pil_augmix.py

Pixels come from an integer hash that the test repeats, in two forms: noise, and a slope with few values. Levels are those of
the paper, 0 to 10.
"""

import base64

import numpy as np
from PIL import Image, ImageOps

from sklearn_roc import hash_uniform
from stored import store

HEIGHT, WIDTH = 20, 24


def images():
    noise = np.floor(hash_uniform(HEIGHT * WIDTH * 3, 5) * 200 + 20).reshape(HEIGHT, WIDTH, 3)
    slope = np.floor((np.arange(HEIGHT)[:, None] + np.arange(WIDTH)[None, :]) / 4) * 20 + 3
    return {"noise": noise, "slope": np.repeat(slope[:, :, None], 3, 2)}


def changes(level, sign):
    whole = lambda most: int(level * most / 10)
    affine = lambda *numbers: lambda i: i.transform(i.size, Image.AFFINE, numbers, resample=Image.BILINEAR)
    return {
        "autocontrast": ImageOps.autocontrast,
        "equalize": ImageOps.equalize,
        "posterize": lambda i: ImageOps.posterize(i, 4 - whole(4)),
        "rotate": lambda i: i.rotate(sign * whole(30), resample=Image.BILINEAR),
        "solarize": lambda i: ImageOps.solarize(i, 256 - whole(256)),
        "shear-x": affine(1, sign * level * 0.3 / 10, 0, 0, 1, 0),
        "shear-y": affine(1, 0, 0, sign * level * 0.3 / 10, 1, 0),
        "translate-x": affine(1, 0, sign * whole(WIDTH / 3), 0, 1, 0),
        "translate-y": affine(1, 0, 0, 0, 1, sign * whole(HEIGHT / 3)),
    }


if __name__ == "__main__":
    found = []
    for kind, pixels in images().items():
        image = Image.fromarray(pixels.astype(np.uint8))
        for level, sign in ((2.7, 1), (6.3, -1)):
            for name, change in changes(level, sign).items():
                made = np.asarray(change(image), dtype=np.uint8)
                found.append({"image": kind, "level": level, "sign": sign, "name": name, "pixels": base64.b64encode(made.tobytes()).decode()})
    store(__file__, found, "numpy", "pillow")
