"""Resized rows by Pillow, in floating point: the reference of src/images/resample.test.ts.

    npm run referee -- pil_resample.py
"""

import numpy as np
from PIL import Image

from stored import store

FILTERS = {"triangle": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}


def main() -> None:
    random = np.random.default_rng(7)
    cases = []
    for name, how in FILTERS.items():
        for size, to in [(40, 58), (40, 28), (40, 40), (40, 9), (20, 28), (13, 28), (28, 5), (3, 28), (1, 28)]:
            row = np.round(random.uniform(0, 255, size)).astype(np.float32)
            image = Image.fromarray(row[None, :], mode="F").resize((to, 1), how)
            cases.append(
                {
                    "filter": name,
                    "input": [float(v) for v in row],
                    "output": [round(float(v), 4) for v in np.asarray(image)[0]],
                }
            )
    store(__file__, cases, "numpy", "pillow")


main()
