"""Common corruptions by the formulas of ImageNet-C, with NumPy, SciPy, Pillow and Python's colorsys, of a small image of noise.

    npm run referee -- numpy_corruptions.py

Pixels come from an integer hash that the test repeats. Blur's deviations are those for 224 pixels, in proportion to the image.
What is whole but for rounding stays whole when it is cut off to a byte.
"""

import base64
import colorsys

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from sklearn_roc import hash_uniform
from stored import store

HEIGHT, WIDTH = 28, 35


def contrast(image, severity):
    share = [0.4, 0.3, 0.2, 0.1, 0.05][severity - 1]
    values = image / 255.0
    means = values.mean(axis=(0, 1), keepdims=True)
    return np.clip((values - means) * share + means, 0, 1) * 255


def brightness(image, severity):
    lift = [0.1, 0.2, 0.3, 0.4, 0.5][severity - 1]

    def raised(pixel):
        h, s, v = colorsys.rgb_to_hsv(*(pixel / 255.0))
        return colorsys.hsv_to_rgb(h, s, min(1, v + lift))

    return np.apply_along_axis(raised, 2, image) * 255


def blur(image, severity):
    deviation = [1, 2, 3, 4, 6][severity - 1] * min(HEIGHT, WIDTH) / 224
    smooth = gaussian_filter(image / 255.0, (deviation, deviation, 0), mode="nearest", truncate=4.0)
    return np.clip(smooth, 0, 1) * 255


def pixelate(image, severity):
    share = [0.6, 0.5, 0.4, 0.3, 0.25][severity - 1]
    picture = Image.fromarray(image.astype(np.uint8))
    small = picture.resize((int(WIDTH * share), int(HEIGHT * share)), Image.BOX)
    return np.asarray(small.resize((WIDTH, HEIGHT), Image.BOX)).astype(float)


image = np.floor(hash_uniform(HEIGHT * WIDTH * 3, 7) * 256).reshape(HEIGHT, WIDTH, 3)
cases = [
    {
        "name": change.__name__,
        "severity": severity,
        "pixels": base64.b64encode(np.floor(change(image, severity) + 1e-6).astype(np.uint8).tobytes()).decode(),
    }
    for change in (contrast, brightness, blur, pixelate)
    for severity in (1, 3, 5)
]
store(__file__, cases, "numpy", "scipy", "pillow")
