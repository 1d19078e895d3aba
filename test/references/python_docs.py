"""Runs the commands and snippets of docs/python.md, in their order and in one folder, and stores what each of them printed.

Build first. A test compares the stored digest with the page as it is: whoever changes a snippet runs this again.
"""

import contextlib
import hashlib
import io
import os
import re
import subprocess
import tempfile
from pathlib import Path

from stored import store

root = Path(__file__).parents[2]
page = (root / "docs/python.md").read_text()
blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", page, re.M | re.S)

with tempfile.TemporaryDirectory() as folder:
    programs = Path(folder) / "bin"
    programs.mkdir()
    main = root / "dist/program/main.js"
    for name, drop in (("cuelab", ""), ("npx", "shift; ")):
        (programs / name).write_text(f'#!/bin/sh\n{drop}exec node {main} "$@"\n')
        (programs / name).chmod(0o755)
    os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    os.environ["HF_HOME"] = str(Path(folder) / "cache")
    os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
    # Trackers keep what they get in this folder, and speak to nobody.
    os.environ |= {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false", "MLFLOW_DISABLE_TELEMETRY": "true"}
    os.chdir(folder)
    names = {}
    snippets = []
    for language, text in blocks:
        said = io.StringIO()
        if language == "sh":
            for line in text.splitlines():
                subprocess.run([*line.split(), "--quiet"], check=True, capture_output=True)
        else:
            with contextlib.redirect_stdout(said):
                exec(compile(text, "docs/python.md", "exec"), names)
        snippets.append({"digest": hashlib.sha256(text.encode()).hexdigest(), "printed": said.getvalue().splitlines()})
    os.chdir(root)

store(
    __file__,
    {"snippets": snippets},
    "numpy",
    "pandas",
    "pyarrow",
    "torch",
    "datasets",
    "webdataset",
    "mlcroissant",
    "onnxruntime",
    "safetensors",
    "wandb",
    "mlflow-skinny",
)
