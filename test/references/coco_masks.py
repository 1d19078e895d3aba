"""Masks of COCO's formats by plain numpy, for src/layouts/coco/masks.test.ts: npm run referee -- coco_masks.py

Written from the format's description, apart from the program: polygons are rasterised by listing every point of the
outline on a grid of fifths of a pixel, keeping those where it crosses a column's middle, and sorting their places in a
column-major image; runs lie between these places.
"""

import numpy as np

from stored import store


def runs_of_polygon(points, height, width):
    grid = np.trunc(5 * np.asarray(points, dtype=np.float64).reshape(-1, 2) + 0.5).astype(int)
    outline = []
    for (x0, y0), (x1, y1) in zip(grid, np.roll(grid, -1, axis=0)):
        wide, high = abs(x1 - x0), abs(y1 - y0)
        steps = max(wide, high)
        if steps == 0:
            outline.append((x0, y0))
            continue
        flip = x0 > x1 if wide >= high else y0 > y1
        a, b = ((x1, y1), (x0, y0)) if flip else ((x0, y0), (x1, y1))
        t = np.arange(steps + 1)
        if wide >= high:
            xs, ys = a[0] + t, np.trunc(a[1] + (b[1] - a[1]) / steps * t + 0.5).astype(int)
        else:
            xs, ys = np.trunc(a[0] + (b[0] - a[0]) / steps * t + 0.5).astype(int), a[1] + t
        edge = list(zip(xs, ys))
        outline += edge[::-1] if flip else edge
    places = []
    for (xa, ya), (xb, yb) in zip(outline, outline[1:]):
        if xa == xb:
            continue
        x = (min(xa, xb) + 0.5) / 5 - 0.5
        if x != np.floor(x) or x < 0 or x > width - 1:
            continue
        y = np.ceil(np.clip((min(ya, yb) + 0.5) / 5 - 0.5, 0, height))
        places.append(int(x) * height + int(y))
    places = sorted(places) + [height * width]
    return np.diff([0] + places).tolist()


def mask_of_runs(runs, height, width):
    flat = np.repeat(np.arange(len(runs)) % 2, runs)
    return flat.reshape(width, height).T


def runs_of_mask(mask):
    flat = np.concatenate([[0], mask.T.ravel()])
    changes = np.flatnonzero(np.diff(flat))
    return np.diff(np.concatenate([[0], changes, [mask.size]])).tolist()


def packed(runs):
    text = ""
    for i, run in enumerate(runs):
        rest = run - runs[i - 2] if i > 2 else run
        while True:
            bits, rest = rest & 31, rest >> 5
            last = rest == (-1 if bits & 16 else 0)
            text += chr(48 + bits + (0 if last else 32))
            if last:
                break
    return text


def components(mask):
    """Eight neighbours, by growing each part until it stops."""
    left, count = mask.astype(bool).copy(), 0
    while left.any():
        part = np.zeros_like(left)
        part[tuple(np.argwhere(left)[0])] = True
        while True:
            padded = np.pad(part, 1)
            near = np.zeros_like(part)
            for dy in range(3):
                for dx in range(3):
                    near |= padded[dy : dy + part.shape[0], dx : dx + part.shape[1]]
            grown = near & left
            if (grown == part).all():
                break
            part = grown
        left &= ~part
        count += 1
    return count


random = np.random.default_rng(11)
polygons = []
for _ in range(24):
    height, width = int(random.integers(5, 24)), int(random.integers(5, 24))
    count = int(random.integers(3, 9))
    # Some points lie beyond the borders, and some on whole pixels.
    points = (random.random((count, 2)) * [width + 6, height + 6] - 3).round(int(random.integers(0, 3)))
    mask = mask_of_runs(runs_of_polygon(points, height, width), height, width)
    polygons.append({"height": height, "width": width, "polygon": points.ravel().tolist(), "runs": runs_of_mask(mask)})
masks = []
for _ in range(12):
    height, width = int(random.integers(3, 40)), int(random.integers(3, 40))
    mask = (random.random((height, width)) < random.random()).astype(int)
    runs = runs_of_mask(mask)
    rows = ["".join("#" if pixel else "." for pixel in row) for row in mask]
    masks.append({"rows": rows, "runs": runs, "packed": packed(runs), "components": components(mask)})
store(__file__, {"polygons": polygons, "masks": masks}, "numpy")
