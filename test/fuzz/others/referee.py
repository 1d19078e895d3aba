"""Reads what the fuzzer asks it to, by other people's libraries: a line of JSON in (kind, path), a line out (content, or the refusal)."""

import base64
import csv
import hashlib
import io
import json
import re
import sys
import tarfile
import xml.etree.ElementTree as ElementTree


def pixels_text(path, data):
    # As in formats/pictures.ts.
    if len(data) > 1 << 22 and path.endswith((".bmp", ".gif")):
        return hashlib.sha256(data).hexdigest()
    return base64.b64encode(data).decode()


def picture(path):
    from PIL import Image, ImageOps, PngImagePlugin

    Image.MAX_IMAGE_PIXELS = 100_000_000
    PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = 1 << 30
    try:
        opened = Image.open(path)
    except ValueError as cause:
        if re.fullmatch("Truncated (cHRM|gAMA|sRGB|pHYs|iCCP) chunk", str(cause)):
            return None  # says nothing of the pixels
        raise
    with opened as image:
        if image.mode not in ("1", "L", "P", "RGB", "RGBA", "LA") or "icc_profile" in image.info:
            return None
        covered = image.tile[0][1] if image.format == "GIF" and image.tile else None
        image.load()
        if covered is not None and tuple(covered) != (0, 0, *image.size) and "transparency" not in image.info:
            return None  # what a frame leaves free is its first colour to some, and nothing to others
        upright = ImageOps.exif_transpose(image)
        grey = upright.mode in ("1", "L", "LA")
        clear = upright.mode in ("LA", "RGBA") or "transparency" in upright.info
        if clear:
            upright = upright.convert("RGBA")
            white = Image.new("RGBA", upright.size, "white")
            upright = Image.alpha_composite(white, upright)
        pixels = upright.convert("L" if grey and not clear else "RGB")
        return {"width": pixels.width, "height": pixels.height, "channels": len(pixels.getbands()), "pixels": pixels_text(path, pixels.tobytes())}


def text_of(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8-sig", errors="strict")


def cell(value):
    if value is None:
        return ""
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, dict)):
        text = json.dumps(value)
        return {"json": json.dumps(exact(value)) if re.search(r"\d{16}", text) else text}
    return value if isinstance(value, (str, float)) else str(value)


def exact(value):
    # Beyond 2^53 a number is a text to ours, in lists, too.
    if isinstance(value, list):
        return [exact(each) for each in value]
    if isinstance(value, dict):
        return {key: exact(each) for key, each in value.items()}
    return str(value) if type(value) is int and abs(value) > 2**53 - 1 else value


def flat(value, prefix, into):
    for key, inner in value.items():
        if isinstance(inner, dict):
            flat(inner, f"{prefix}{key}.", into)
        else:
            into[f"{prefix}{key}"] = cell(inner)
    return into


def parsed(text):
    # Bare NaN and Infinity are nothing to ours.
    return json.loads(text, parse_constant=lambda _: None)


def rows(values):
    values = [values] if isinstance(values, dict) else values
    if not all(isinstance(value, dict) for value in values):
        raise ValueError("a row that is no object")
    return [flat(value, "", {}) for value in values]


def json_rows(path):
    return rows(parsed(text_of(path)))


def json_lines(path):
    lines = [line for line in text_of(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return rows([parsed(line) for line in lines if line.strip()])


def table(path):
    text = text_of(path)
    if "\n" in text:
        # A line end of its own only where there is no other.
        text = re.sub("\r(?!\n)", "\U0010fffd", text)
    found = {}
    for separator in ",;\t":
        found[separator] = separated(text, separator)
        if isinstance(found[separator], str):
            # Spaces behind a closing quote belong to nobody, and to this reader break the file.
            found[separator] = separated(re.sub(f'(?<=")[ \t]+(?=[{separator}\r\n]|$)', "", text), separator)
    return found


def separated(text, separator):
    csv.field_size_limit(10**9)
    # Python takes control characters for white space as well.
    bare = lambda part: part.replace("\U0010fffd", "\r").strip(" \t\r\n")
    try:
        read = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=separator != "\t")
        return [[bare(part) for part in row] for row in read if any(bare(part) for part in row)]
    except csv.Error as cause:
        return str(cause)


def safetensors(path):
    import numpy
    from safetensors import deserialize

    types = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?"}

    def values(tensor):
        if tensor["dtype"] == "BF16":
            read = (numpy.frombuffer(tensor["data"], "<u2").astype("<u4") << 16).view("<f4")
        else:
            read = numpy.frombuffer(tensor["data"], types[tensor["dtype"]])
        # As we read them: float32.
        return [f"({number(value)})" if value - value != 0 else value for value in read.astype("<f4").tolist()]

    def number(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"

    with open(path, "rb") as file:
        return sorted([name, tensor["shape"], values(tensor)] for name, tensor in deserialize(file.read()))


def arrays(path):
    import numpy

    found = {}
    with numpy.load(path, allow_pickle=False) as file:
        for name in file.files:
            try:
                values = file[name]
            except Exception as cause:  # matters only if it is needed
                found[name] = {"refused": str(cause)}
                continue
            if not isinstance(values, numpy.ndarray):
                continue
            found[name] = {"shape": list(values.shape), "values": [plain(value) for value in values.flatten().tolist()]}
    return found


def plain(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        # Spelled as JavaScript does.
        return "NaN" if value != value else cell(value)
    return str(value)


def tar(path):
    with tarfile.open(path, "r:") as archive, open(path, "rb") as file:
        for member in archive:
            file.seek(member.offset)
            header = file.read(512)
            if header[257:262] != b"ustar" and header[345] != 0:
                return None  # a prefix of the name, which only this format of tar has
        return [[member.name, base64.b64encode(archive.extractfile(member).read()).decode()] for member in archive if member.isreg()]


def voc(path):
    root = ElementTree.parse(path).getroot()

    def whole(node):
        value = float(node.text.strip())
        if not value.is_integer():
            raise ValueError(f"{value} is not whole")
        return int(value)

    size = root.findall("size")[-1]
    return {
        "width": whole(size.findall("width")[-1]),
        "height": whole(size.findall("height")[-1]),
        "objects": [[node.findtext("name").strip(), *[whole(node.find("bndbox").find(part)) for part in ("xmin", "ymin", "xmax", "ymax")]] for node in root.findall("object")],
    }


def coco(path):
    whole = json.loads(text_of(path))
    photos = {photo["id"]: photo for photo in whole["images"]}
    names = {category["id"]: category["name"] for category in whole["categories"]}
    number = lambda value: str(value) if isinstance(value, int) and abs(value) > 2**53 else value
    return [
        {
            "id": number(one["id"]),
            "category": names[one["category_id"]],
            "height": number(photos[one["image_id"]]["height"]),
            "width": number(photos[one["image_id"]]["width"]),
            "file": number(photos[one["image_id"]].get("file_name")),
        }
        for one in whole["annotations"]
    ]


def mat(path):
    from scipy.io import loadmat

    # MATLAB's two-byte letters are UTF-16; without a word SciPy keeps the lower byte of each.
    whole = loadmat(path, squeeze_me=True, struct_as_record=True, uint16_codec="utf_16_le")
    names = [str(name) for name in whole["class_names"].tolist()]
    return sorted([str(one["relative_im_path"]), names[int(one["class"]) - 1]] for one in whole["annotations"].flatten())


kinds = {name: globals()[name] for name in ("picture", "json_rows", "json_lines", "table", "safetensors", "arrays", "tar", "voc", "coco", "mat")}

for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = {"content": kinds[asked["kind"]](asked["path"])}
    except Exception as cause:  # whatever a library throws is its refusal
        answer = {"refused": f"{type(cause).__name__}: {cause}"[:300]}
    try:
        text = json.dumps(answer, allow_nan=False)
    except ValueError:
        text = json.dumps(answer)
        text = text.replace("NaN", '"NaN"').replace("-Infinity", '"-Infinity"').replace(": Infinity", ': "Infinity"').replace(", Infinity", ', "Infinity"')
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
