"""Resized rows by Pillow, in floating point: the reference of src/core/images/resample.test.ts.

Run: python3 test/references/pil_resample.py > test/references/pil_resample.json (Pillow 9.4, NumPy 1.24).
"""

import json

import numpy as np
from PIL import Image

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
    print(json.dumps(cases))


main()
