"""Predictions as pandas and NumPy write them, in every form that `eval` reads, and what pandas counts in them.

Files are stored whole, so that what is read is what these libraries wrote.
"""

import base64
import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from stored import store

ROWS = 40
rows = np.arange(ROWS)
logits = np.stack([np.sin(rows * 1.7), np.cos(rows * 0.9), np.sin(rows * 0.3 + 1)], axis=1).astype("float32")
frame = pd.DataFrame(
    {
        "id": [f"img_{row:03d}" for row in rows],
        "split": np.where(rows % 5 == 4, "val", "test"),
        "y_true": (rows * 7) % 3,
        "y_pred": logits.argmax(axis=1),
        "place": pd.Series(np.where(rows % 3 == 0, "wood, lake", "größe;land"), dtype="object"),
        "score": np.round(np.sin(rows) * 10, 3),
    }
)
# pandas writes what is missing as nothing, JSON as null, NumPy as the text nan.
frame.loc[frame.index % 11 == 3, "place"] = None

files = {}
with tempfile.TemporaryDirectory() as folder:
    place = Path(folder)

    def keep(name, write):
        write(place / name)
        files[name] = base64.b64encode((place / name).read_bytes()).decode()

    keep("comma.csv", lambda path: frame.to_csv(path, index=False))
    keep("index.csv", lambda path: frame.to_csv(path))
    keep("excel.csv", lambda path: frame.to_csv(path, index=False, sep=";", decimal=",", encoding="utf-8-sig"))
    keep("tabs.tsv", lambda path: frame.to_csv(path, index=False, sep="\t"))
    keep("lines.jsonl", lambda path: frame.to_json(path, orient="records", lines=True))
    keep("lines.ndjson", lambda path: frame.to_json(path, orient="records", lines=True, force_ascii=False))
    keep("rows.json", lambda path: frame.to_json(path, orient="records", indent=2))
    keep("columns.parquet", lambda path: frame.to_parquet(path, index=False))
    arrays = {
        "y_true": frame.y_true.to_numpy(),
        "logits": logits,
        "id": frame.id.to_numpy().astype("U"),
        "split": frame.split.to_numpy().astype("U"),
        "place": frame.place.fillna("nan").to_numpy().astype("U"),
        "features": np.zeros((ROWS, 4), "float32"),
    }
    keep("arrays.npz", lambda path: np.savez(path, **arrays))
    keep("packed.npz", lambda path: np.savez_compressed(path, **arrays))
    truth = frame.assign(y_true=frame.y_true == 1, y_pred=(frame.y_pred == 1).astype(int))
    keep("booleans.csv", lambda path: truth.to_csv(path, index=False))

test = frame[frame.split == "test"].assign(right=lambda f: f.y_true == f.y_pred, place=lambda f: f.place.fillna("(none)"))
groups = test.groupby(["y_true", "place"]).right.agg(["mean", "size"]).reset_index()
binary = truth[truth.split == "test"]

store(
    __file__,
    {
        "files": files,
        "rows": len(test),
        "accuracy": float(test.right.mean()),
        "groups": json.loads(groups.to_json(orient="records", double_precision=15)),
        "guessing": float(test.y_true.value_counts(normalize=True).max()),
        "binaryAccuracy": float((binary.y_true.astype(int) == binary.y_pred).mean()),
        "missing": int(frame.place.isna().sum()),
    },
    "numpy",
    "pandas",
    "pyarrow",
)
