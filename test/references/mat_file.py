"""MATLAB files of level 5 packed byte by byte, for src/layouts/stanford-cars/mat-file.test.ts:
npm run referee -- mat_file.py

SciPy is not used: these are the bytes that MathWorks' "MAT-File Format" describes, in both byte orders, with and without
compression, and with numbers stored in smaller types than they have, as MATLAB does.
"""

import base64
import struct
import zlib

from stored import store


def element(order, kind, data):
    if 0 < len(data) <= 4:
        # The two halves of the first word trade places with the byte order.
        return struct.pack(order + "I", len(data) << 16 | kind) + data.ljust(4, b"\0")
    return struct.pack(order + "II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def array(order, kind, dimensions, name, *parts):
    body = element(order, 6, struct.pack(order + "II", kind, 0))
    body += element(order, 5, struct.pack(order + "%di" % len(dimensions), *dimensions))
    body += element(order, 1, name.encode()) + b"".join(parts)
    return element(order, 14, body)


def text(order, value):
    return array(order, 4, (1, len(value)), "", element(order, 16, value.encode()))


def number(order, value):
    # A double (class 6) whose value fits a byte is stored as one; larger ones as 16 bits.
    small = element(order, 2, struct.pack("B", value)) if value < 256 else element(order, 4, struct.pack(order + "H", value))
    return array(order, 6, (1, 1), "", small)


def file(order, compress, *variables):
    header = b"MATLAB 5.0 MAT-file, Platform: GLNXA64".ljust(124) + struct.pack(order + "H", 0x0100)
    header += b"IM" if order == "<" else b"MI"
    if compress:
        variables = [struct.pack(order + "II", 15, len(z)) + z for z in map(zlib.compress, variables)]
    return base64.b64encode(header + b"".join(variables)).decode()


def annotations(order):
    fields = ["bbox_x1", "class", "fname"]
    rows = [(39, 14, "00001.jpg"), (1024, 3, "00002.jpg"), (5, 196, "08144.jpg")]
    names = b"".join(field.encode().ljust(8, b"\0") for field in fields)
    cells = [number(order, v) if isinstance(v, int) else text(order, v) for row in rows for v in row]
    return array(
        order, 2, (1, len(rows)), "annotations", element(order, 5, struct.pack(order + "i", 8)), element(order, 1, names), *cells
    )


def classes(order):
    names = ["AM General Hummer SUV 2000", "Acura RL Sedan 2012", "M6"]
    return array(order, 1, (1, len(names)), "class_names", *[text(order, name) for name in names])


def doubles(order):
    return array(order, 6, (2, 2), "m", element(order, 9, struct.pack(order + "4d", 1.5, -2, 0.25, 1e9)))


store(
    __file__,
    {
        name: file(order, compress, annotations(order), classes(order), doubles(order))
        for name, order, compress in [("compressed", "<", True), ("plain", "<", False), ("bigEndian", ">", True)]
    },
)
