"""How scripts of this folder store what they computed: x.py makes x.json, which says so, and with which versions."""

import json
import platform
from importlib.metadata import version
from pathlib import Path


def store(script, reference, *libraries):
    """`libraries` are those that computed it, by the names they are installed under."""
    path = Path(script)
    made = {
        "madeBy": f"test/references/{path.name}",
        # A build's own tag, such as +cpu, tells nothing of what was computed.
        "versions": {"python": platform.python_version(), **{name: version(name).split("+")[0] for name in libraries}},
        "reference": reference,
    }
    path.with_suffix(".json").write_text(json.dumps(made, allow_nan=False, ensure_ascii=False) + "\n")
