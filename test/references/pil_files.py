"""Small files of many kinds and the pixels that Pillow finds in them: the reference of src/images/file-pixels.test.ts.

    npm run referee -- pil_files.py

Bitmaps are written here byte by byte, since Pillow writes few kinds of them and reads most. Colour profiles are matrices and
powers by the published primaries of Adobe RGB (1998) and Display P3; what sRGB those colours are, Little CMS says (perceptual
intent). Transparent pictures are laid on white by Pillow's alpha_composite. Four inks: by a small profile of our own, and by the
usual one that sharp brings for files without any (public domain; asked for here, not stored).
"""

import base64
import io
import struct
import subprocess
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

from stored import store

HEIGHT, WIDTH = 6, 7
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH]
COLOURS = np.stack([X * 42, Y * 51, (X + Y) * 23], -1).astype(np.uint8)


def rows_of(values: np.ndarray, bits: int) -> bytes:
    """Each row packed to `bits` a value, and filled to four bytes."""
    packed = b""
    for row in values:
        text = "".join(f"{int(v):0{bits}b}" for v in row)
        text += "0" * (-len(text) % 32)
        packed += int(text, 2).to_bytes(len(text) // 8, "big")
    return packed


def little(values: np.ndarray, size: int) -> bytes:
    packed = b""
    for row in values:
        line = b"".join(int(v).to_bytes(size, "little") for v in row)
        packed += line + b"\0" * (-len(line) % 4)
    return packed


def bitmap(bits, body, compression=0, palette=(), masks=(), header=40, from_top=False) -> bytes:
    table = b"".join(bytes([b, g, r, 0]) for r, g, b in palette)
    fields = b"".join(struct.pack("<I", mask) for mask in masks)
    height = -HEIGHT if from_top else HEIGHT
    info = struct.pack("<IiiHHIIiiII", header, WIDTH, height, 1, bits, compression, len(body), 2835, 2835, len(palette), 0)
    info += fields + b"\0" * max(0, header - 40 - len(fields))
    start = 14 + len(info) + len(table)
    return b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + info + table + body


def os2(bits, body, palette) -> bytes:
    table = b"".join(bytes([b, g, r]) for r, g, b in palette)
    info = struct.pack("<IHHHH", 12, WIDTH, HEIGHT, 1, bits)
    start = 14 + 12 + len(table)
    return b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + info + table + body


def run_lengths(values: np.ndarray) -> bytes:
    """Runs, three pixels as they are in each row, an end of each line and of the picture."""
    body = b""
    for row in values:
        body += bytes([0, 3, *row[:3], 0])
        for value in row[3:]:
            body += bytes([1, value])
        body += b"\0\0"
    return body + b"\0\1"


def bitmaps() -> dict[str, bytes]:
    colours = [((37 * i) % 256, (91 * i + 20) % 256, (151 * i + 7) % 256) for i in range(256)]
    greys = [(i, i, i) for i in range(256)]
    low = (X + 3 * Y)[::-1]
    r, g, b = (COLOURS[::-1, :, c].astype(np.uint32) for c in range(3))
    alpha = (255 - 30 * X[::-1]).astype(np.uint32)
    rgb = np.concatenate([COLOURS[::-1, :, ::-1].reshape(HEIGHT, -1)], 1)
    return {
        "bmp 1 bit": bitmap(1, rows_of(low % 2, 1), palette=colours[5:7]),
        "bmp 4 bits": bitmap(4, rows_of(low % 16, 4), palette=colours[:16]),
        "bmp 8 bits": bitmap(8, rows_of(low, 8), palette=colours),
        "bmp 8 bits, grey": bitmap(8, rows_of(low * 9 % 256, 8), palette=greys),
        "bmp 8 bits, few colours": bitmap(8, rows_of(low % 5, 8), palette=colours[:5]),
        "bmp 8 bits, from the top": bitmap(8, rows_of(low[::-1], 8), palette=colours, from_top=True),
        "bmp 8 bits, run lengths": bitmap(8, run_lengths(low.astype(np.uint8)), compression=1, palette=colours),
        "bmp 8 bits, OS/2": os2(8, rows_of(low, 8), colours),
        "bmp 16 bits": bitmap(16, little((r >> 3 << 10) | (g >> 3 << 5) | b >> 3, 2)),
        "bmp 16 bits, 565": bitmap(
            16, little((r >> 3 << 11) | (g >> 2 << 5) | b >> 3, 2), compression=3, masks=(0xF800, 0x7E0, 0x1F)
        ),
        "bmp 24 bits": bitmap(24, little(rgb, 1)),
        "bmp 24 bits, from the top": bitmap(24, little(rgb[::-1], 1), from_top=True),
        "bmp 32 bits": bitmap(32, little((r << 16) | (g << 8) | b, 4)),
        "bmp 32 bits, transparent": bitmap(
            32,
            little((alpha << 24) | (r << 16) | (g << 8) | b, 4),
            compression=3,
            masks=(0xFF0000, 0xFF00, 0xFF, 0xFF000000),
            header=108,
        ),
    }


D50 = np.array([0.9642, 1.0, 0.8249])
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


def fixed(values) -> bytes:
    return b"".join(struct.pack(">i", round(float(v) * 65536)) for v in values)


def profile(name: str, primaries, gamma: float) -> bytes:
    """An ICC profile of version 2, of three primaries with white D65 and a power."""
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    white = np.array([0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
    adapt = np.linalg.inv(BRADFORD) @ np.diag(BRADFORD @ D50 / (BRADFORD @ white)) @ BRADFORD
    matrix = adapt @ (columns * np.linalg.solve(columns, white))
    xyz = lambda values: b"XYZ " + b"\0" * 4 + fixed(values)
    curve = b"curv" + b"\0" * 4 + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"
    said = name.encode() + b"\0"
    tags = [
        (b"desc", b"desc" + b"\0" * 4 + struct.pack(">I", len(said)) + said + b"\0" * 78),
        (b"cprt", b"text" + b"\0" * 4 + b"none\0"),
        (b"wtpt", xyz(D50)),
        *[(key, xyz(matrix[:, i])) for i, key in enumerate([b"rXYZ", b"gXYZ", b"bXYZ"])],
        *[(key, curve) for key in [b"rTRC", b"gTRC", b"bTRC"]],
    ]
    return with_header(tags, b"mntr", b"RGB ", b"XYZ ")


def with_header(tags, kind: bytes, space: bytes, between: bytes) -> bytes:
    start, table, data = 128 + 4 + 12 * len(tags), b"", b""
    for key, value in tags:
        value += b"\0" * (-len(value) % 4)
        table += key + struct.pack(">II", start + len(data), len(value))
        data += value
    body = struct.pack(">I", len(tags)) + table + data
    head = struct.pack(">I4sI4s4s4s6H4s", 128 + len(body), b"\0" * 4, 0x02100000, kind, space, between, 2024, 1, 1, 0, 0, 0, b"acsp")
    return head.ljust(68, b"\0") + fixed(D50) + b"\0" * 48 + body


# Lab of paper, and of cyan, magenta and yellow and what they make where they lie over each other, as offset printing has them.
PRINTED = {
    (0, 0, 0): (95, 0, -2), (1, 0, 0): (55, -37, -50), (0, 1, 0): (48, 74, -3), (0, 0, 1): (89, -5, 93),
    (1, 1, 0): (24, 22, -46), (1, 0, 1): (50, -68, 33), (0, 1, 1): (47, 68, 48), (1, 1, 1): (23, 0, 0),
}  # fmt: skip


def ink_profile() -> bytes:
    """An ICC profile of version 2 for four inks: their sixteen corners in Lab, and lines between; black leaves a seventh."""
    corners = b""
    for inks in np.ndindex(2, 2, 2, 2):
        light, a, b = PRINTED[inks[:3]]
        part = 1 / 7 if inks[3] else 1
        corners += bytes([round(light * part * 2.55), round(a * part) + 128, round(b * part) + 128])
    straight = bytes(range(256))
    table = b"mft1" + b"\0" * 4 + bytes([4, 3, 2, 0]) + fixed([1, 0, 0, 0, 1, 0, 0, 0, 1]) + 4 * straight + corners + 3 * straight
    said = b"four inks\0"
    tags = [
        (b"desc", b"desc" + b"\0" * 4 + struct.pack(">I", len(said)) + said + b"\0" * 78),
        (b"cprt", b"text" + b"\0" * 4 + b"none\0"),
        (b"wtpt", b"XYZ " + b"\0" * 4 + fixed(D50)),
        (b"A2B0", table),
    ]
    return with_header(tags, b"prtr", b"CMYK", b"Lab ")


def usual_inks() -> bytes:
    """The profile that sharp takes for files of four inks that have none."""
    script = """import sharp from "sharp";
const { data } = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
  .withIccProfile("cmyk").toColourspace("cmyk").jpeg().toBuffer({ resolveWithObject: true });
process.stdout.write(data);"""
    node = ["node", "--input-type=module", "--eval", script]
    root = Path(__file__).parents[2]
    made = subprocess.run(node, cwd=root, capture_output=True, check=True).stdout
    return Image.open(io.BytesIO(made)).info["icc_profile"]


def without_adobe(jpeg: bytes) -> bytes:
    """Inks stay stored as what they leave of the paper, and nothing says so: Pillow takes it for granted."""
    at = jpeg.index(b"\xff\xee")
    return jpeg[:at] + jpeg[at + 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big") :]


def as_light_and_hue(inks: np.ndarray, **options) -> bytes:
    """Three inks as luminance and chrominance, which is how Photoshop stores them: Adobe's marker then ends in 2."""
    stored = np.asarray(Image.fromarray(inks[:, :, :3]).convert("YCbCr"))
    turned = Image.fromarray(np.dstack([255 - stored, inks[:, :, 3]]), "CMYK")
    jpeg = bytearray(written(turned, "JPEG", quality=100, subsampling=0, **options))
    at = jpeg.index(b"\xff\xee")
    jpeg[at + 1 + int.from_bytes(jpeg[at + 2 : at + 4], "big")] = 2
    return bytes(jpeg)


def ink_cases() -> list[dict]:
    # A block of the JPEG each, so that nothing is lost but roundings.
    inks = [(0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (0, 0, 0, 255), (0, 200, 180, 30), (120, 40, 0, 90), (60, 50, 50, 0)]
    values = np.repeat(np.repeat(np.array([inks], np.uint8), 8, 0), 8, 1)
    picture = Image.fromarray(values, "CMYK")
    srgb = ImageCms.createProfile("sRGB")
    own, usual = ink_profile(), usual_inks()
    cases = []
    for said, icc, stored in [("with a profile", own, {"icc_profile": own}), ("without a profile", usual, {})]:
        jpeg = written(picture, "JPEG", quality=100, subsampling=0, **stored)
        kinds = {
            "JPEG": jpeg,
            "JPEG without Adobe's marker,": without_adobe(jpeg),
            "JPEG as Photoshop stores it,": as_light_and_hue(values, **stored),
            "TIFF": written(picture, "TIFF", **stored),
        }
        for kind, content in kinds.items():
            read = Image.open(io.BytesIO(content))
            assert np.abs(np.asarray(read).astype(int) - values).max() <= 2, kind
            found = ImageCms.profileToProfile(read, io.BytesIO(icc), srgb, renderingIntent=0, outputMode="RGB")
            cases.append(case(f"four inks: {kind} {said}", content, np.asarray(found), 2, recoloured=True))
    return cases


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png16(icc: bytes) -> bytes:
    rows = b"".join(b"\0" + (row.astype(">u2") * 257).tobytes() for row in COLOURS)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"iCCP", b"x\0\0" + zlib.compress(icc)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


def written(image: Image.Image, form: str, **options) -> bytes:
    target = io.BytesIO()
    image.save(target, form, **options)
    return target.getvalue()


def case(name: str, content: bytes, pixels: np.ndarray, within: int, **notes) -> dict:
    shape = pixels.shape if pixels.ndim == 3 else (*pixels.shape, 1)
    return {
        "name": name,
        "file": base64.b64encode(content).decode(),
        "shape": list(shape),
        "pixels": base64.b64encode(pixels.astype(np.uint8).tobytes()).decode(),
        "within": within,
        "notes": notes,
    }


def on_white(image: Image.Image) -> np.ndarray:
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image.convert("RGBA")).convert("RGB"))


def main() -> None:
    cases = []
    for name, content in bitmaps().items():
        image = Image.open(io.BytesIO(content))
        if image.mode == "RGBA":
            # Pillow rounds the blend in its own way.
            cases.append(case(name, content, on_white(image), 1, transparent=True))
        else:
            cases.append(case(name, content, np.asarray(image if image.mode == "L" else image.convert("RGB")), 0))
    srgb = ImageCms.createProfile("sRGB")
    picture = Image.fromarray(COLOURS)
    spaces = {
        "Adobe RGB": ([(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)], 563 / 256),
        "Display P3": ([(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)], 2.2),
    }
    for space, (primaries, gamma) in spaces.items():
        icc = profile(space, primaries, gamma)
        kinds = {form: written(picture, form, icc_profile=icc) for form in ["PNG", "TIFF"]}
        kinds["JPEG"] = written(picture, "JPEG", icc_profile=icc, quality=100, subsampling=0)
        for form, content in kinds.items():
            found = ImageCms.profileToProfile(Image.open(io.BytesIO(content)), io.BytesIO(icc), srgb, renderingIntent=0)
            # Versions of Little CMS, and of libjpeg, round differently.
            cases.append(case(f"{form} in {space}", content, np.asarray(found), 2, recoloured=True))
        eight = ImageCms.profileToProfile(picture, io.BytesIO(icc), srgb, renderingIntent=0)
        cases.append(case(f"PNG of 16 bits in {space}", png16(icc), np.asarray(eight), 2, recoloured=True))
    clear = Image.fromarray(np.dstack([COLOURS, 255 - X * 40]).astype(np.uint8), "RGBA")
    cases.append(case("PNG with transparency", written(clear, "PNG"), on_white(clear), 1, transparent=True))
    cases.append(case("WebP with transparency", written(clear, "WEBP", lossless=True, exact=True), on_white(clear), 1, transparent=True))
    cases += ink_cases()
    grey = Image.fromarray(np.dstack([X * 40, 255 - Y * 50]).astype(np.uint8), "LA")
    cases.append(case("grey PNG with transparency", written(grey, "PNG"), on_white(grey)[:, :, 0], 1, transparent=True))
    solid = Image.fromarray(np.dstack([COLOURS, np.full_like(X, 255)]).astype(np.uint8), "RGBA")
    cases.append(case("PNG with alpha that hides nothing", written(solid, "PNG"), COLOURS, 0))
    store(__file__, cases, "numpy", "pillow")


main()
