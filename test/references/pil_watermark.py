"""What Pillow draws for each content of Table 8 on a grey image of 224 × 224: npm run referee -- pil_watermark.py

Fonts are those of node_modules/@fontsource. Characters from several files of one typeface are drawn one by one, each where the
one before ends; all others as one line, shaped by Raqm.
"""

from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFont

from stored import store

fonts = Path(__file__).parents[2] / "node_modules/@fontsource"

side, size, grey, alpha = 224, 36, 60, 128
contents = {
    "chinese": ("noto-serif-sc", "捷径捷径捷径", {"捷": "113", "径": "111"}, 200),
    "chinese-digits": (
        "noto-serif-sc",
        "一二三四五六",
        {"一": "119", "二": "117", "三": "118", "四": "117", "五": "116", "六": "115"},
        200,
    ),
    "japanese": ("noto-serif-jp", "ショートカット", "119", 200),
    "korean": ("noto-serif-kr", "지름길지름길", {"지": "119", "름": "116", "길": "116"}, 200),
    "english": ("noto-serif-sc", "shortcut", "119", 200),
    "alphabet": ("noto-serif-sc", "abcdefghijkl", "119", 200),
    "arabic": ("noto-naskh-arabic", "الاختصار", "arabic", 400),
}

drawn = {}
for name, (package, text, files, weight) in contents.items():
    image = Image.new("RGBA", (side, side), (grey, grey, grey, 255))
    layer = Image.new("RGBA", image.size, (255, 255, 255, 0))
    draw = ImageDraw.Draw(layer)
    x, y = 0.01 * side, 0.4 * side

    def font(part):
        path = f"{fonts}/{package}/files/{package}-{part}-{weight}-normal.woff"
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.RAQM)

    pieces = [(text, files)] if isinstance(files, str) else [(letter, files[letter]) for letter in text]
    for piece, part in pieces:
        draw.text((x, y), piece, font=font(part), fill=(255, 255, 255, alpha))
        x += font(part).getlength(piece)
    pixels = numpy.asarray(Image.alpha_composite(image, layer).convert("L")).astype(int)
    added = pixels - grey
    drawn[name] = {
        "box": Image.fromarray((added > 0).astype("uint8")).getbbox(),
        "brightest": int(pixels.max()),
        "inside": int((pixels == pixels.max()).sum()),
        "rows": added.sum(axis=1).tolist(),
        "columns": added.sum(axis=0).tolist(),
    }
store(__file__, drawn, "numpy", "pillow")
