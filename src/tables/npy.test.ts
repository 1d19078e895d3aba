import { expect, test } from "vitest";
import { npyFile, npyHeader, npyValues, parseNpyHeader } from "./npy.ts";

test("the header is what NumPy writes, byte for byte", () => {
  // numpy 2.4: np.save of np.zeros((2, 3, 4), np.uint8); 118 bytes of header text, data at 128.
  const dictionary = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3, 4), }";
  const expected = Buffer.concat([
    Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]),
    Buffer.from(`${dictionary.padEnd(117)}\n`, "latin1"),
  ]);
  expect(npyHeader("|u1", [2, 3, 4])).toEqual(expected);
});

test("arrays of numbers come back", () => {
  const values = Uint16Array.of(0, 1, 700, 65_535);
  for (const dtype of ["<i8", "<u2"] as const) {
    const file = npyFile(values, dtype);
    const header = parseNpyHeader(file, "test");
    expect(header).toMatchObject({ dtype, shape: [4] });
    expect([...npyValues(file.subarray(header.headerLength), dtype, "test")]).toEqual([
      "0",
      "1",
      "700",
      "65535",
    ]);
  }
});

test("text, floats and signed numbers are read", () => {
  const unicode = Buffer.alloc(16);
  unicode.writeUInt32LE(0x61, 0);
  unicode.writeUInt32LE(0x6377, 8);
  unicode.writeUInt32LE(0x62, 12);
  expect([...npyValues(unicode, "<U2", "test")]).toEqual(["a", "捷b"]);
  const floats = Buffer.alloc(8);
  floats.writeFloatLE(0.5, 0);
  floats.writeFloatLE(-2, 4);
  expect([...npyValues(floats, "<f4", "test")]).toEqual(["0.5", "-2"]);
});

test("what is no usable array is refused", () => {
  expect(() => parseNpyHeader(Buffer.from("PK, a zip file"), "x.npy")).toThrow(/not a usable NumPy array/);
  const fortran = Buffer.from(
    npyHeader("|u1", [2, 2]).toString("latin1").replace("False", "True "),
    "latin1",
  );
  expect(() => parseNpyHeader(fortran, "x.npy")).toThrow(/Fortran/);
  expect(() => [...npyValues(Buffer.alloc(8), "<c8", "x.npy")]).toThrow(/unknown type[\s\S]*<c8/);
});
