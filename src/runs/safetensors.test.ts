import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { decodeSafetensors, encodeSafetensors, listSafetensors } from "./safetensors.ts";

const file = {
  tensors: new Map([
    ["weight", { shape: [2, 2], data: Float32Array.of(1, -2.5, 3e-8, Number.NaN) }],
    ["bias", { shape: [1], data: Float32Array.of(7) }],
  ]),
  metadata: { note: "größe" },
};

test("tensors and texts come back, bit for bit", () => {
  const { tensors, metadata } = decodeSafetensors(encodeSafetensors(file), "test");
  expect(metadata).toEqual(file.metadata);
  expect([...tensors.keys()]).toEqual(["weight", "bias"]);
  expect(new Uint32Array(tensors.get("weight")!.data.buffer)).toEqual(
    new Uint32Array(file.tensors.get("weight")!.data.buffer),
  );
});

test("the layout is that of the specification: length, JSON, aligned numbers", () => {
  const bytes = Buffer.from(encodeSafetensors(file));
  const length = Number(bytes.readBigUInt64LE(0));
  expect(length % 8).toBe(0);
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length)) as Record<string, unknown>;
  expect(header.bias).toEqual({ dtype: "F32", shape: [1], data_offsets: [16, 20] });
  expect(bytes.readFloatLE(8 + length + 16)).toBe(7);
  expect(bytes.length).toBe(8 + length + 20);
});

test("every truncation is noticed", () => {
  const bytes = encodeSafetensors(file);
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeSafetensors(bytes.subarray(0, length), "test"), `${length}`).toThrow(
      /not a usable safetensors file/,
    );
  }
});

/** Header and numbers put together by hand. */
function handMade(entries: unknown, numbers: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, numbers]);
}

test.each([
  // From the formats' definitions: 1, −2, the smallest subnormal and the largest half; 1, −2.5 and 3.140625.
  ["F16", [0x3c00, 0xc000, 0x0001, 0x7bff], 2, [1, -2, 2 ** -24, 65504]],
  ["BF16", [0x3f80, 0xc020, 0x4049, 0x0000], 2, [1, -2.5, 3.140625, 0]],
  ["I64", [7, 0, 0, 0], 2, [7]],
  ["U8", [0x0201], 2, [1, 2]],
  // 1e300 is beyond float32.
  ["F64", [0x759c, 0x8800, 0xe43c, 0x7e37], 2, [Number.POSITIVE_INFINITY]],
])("%s is read as the numbers it stands for", (dtype, words, size, expected) => {
  const numbers = Buffer.from(Uint16Array.from(words).buffer);
  const entry = { dtype, shape: [expected.length], data_offsets: [0, size * words.length] };
  // A header of odd length: numbers need not begin at a multiple of their size.
  const bytes = handMade({ x: entry, "": { dtype: "F32", shape: [0], data_offsets: [0, 0] } }, numbers);
  expect([...decodeSafetensors(bytes, "test").tensors.get("x")!.data]).toEqual(expected);
});

const float = (from: number, to: number) => ({
  dtype: "F32",
  shape: [(to - from) / 4],
  data_offsets: [from, to],
});

test.each<[string, unknown, string[]]>([
  ["a place", { x: { dtype: "F32", shape: [2] } }, ['tensor "x" without type, shape and place']],
  ["an entry", { x: null }, ['tensor "x" without type']],
  [
    "a whole place",
    { x: { ...float(0, 8), shape: [3] } },
    ['"x" in 8 bytes, where [3] of F32 takes 12', "write it again"],
  ],
  [
    "a shape as long as its place",
    { x: { ...float(0, 8), shape: [] } },
    ["in 8 bytes, where [] of F32 takes 4"],
  ],
  ["bytes", { x: float(4, 12) }, ['tensor "x" is cut short', "copy or download it again"]],
  [
    "a known type",
    { x: { ...float(0, 8), dtype: "F8_E4M3" } },
    ["of type F8_E4M3", "one of: F32, F16", "v.float()"],
  ],
  ["a type", { x: { ...float(0, 8), dtype: "constructor" } }, ["of type constructor"]],
  ["places of their own", { x: float(0, 8), y: float(4, 8) }, ['tensors "x" and "y" in the same place']],
  ["an object", null, ["a header that is no JSON object"]],
  ["an object, but a list", [], ["a header that is no JSON object"]],
  ["an object, but a number", 3, ["a header that is no JSON object"]],
  ["usable metadata", { __metadata__: null }, ["metadata that are no texts by name"]],
  ["texts as metadata", { __metadata__: { epoch: 3 } }, ["metadata that are no texts by name"]],
])("a header without %s is refused", (_, header, texts) => {
  const bytes = handMade(header, Buffer.alloc(8));
  expectError(() => decodeSafetensors(bytes, "test"), "input", "where: test", ...texts);
});

test("PyTorch's own files are told as what they are, with the way to convert them", () => {
  const zip = Buffer.from("PK\u0003\u0004 and so on");
  expectError(() => decodeSafetensors(zip, "a.pth"), "input", "a zip archive", "save_file(torch.load(");
  const pickle = Buffer.from([0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9]);
  expectError(() => decodeSafetensors(pickle, "a.pth"), "input", "a Python pickle", "save_file(torch.load(");
});

test("a listing reads the header alone", async () => {
  const path = join(temporaryFolder(), "listed.safetensors");
  writeFileSync(path, encodeSafetensors(file));
  const { tensors, metadata } = await listSafetensors(path);
  expect(tensors.get("weight")).toEqual({ shape: [2, 2], type: "F32" });
  expect(metadata).toEqual(file.metadata);
  writeFileSync(path, encodeSafetensors(file).subarray(0, -1));
  await expect(listSafetensors(path)).rejects.toThrow(/cut short/);
});

test("a file of few bytes, or cut, is told what it should be and what to do", () => {
  const whole = encodeSafetensors({
    tensors: new Map([["x", { shape: [2], data: Float32Array.of(1, 2) }]]),
    metadata: {},
  });
  for (const bytes of [Buffer.from("wrong"), whole.subarray(0, whole.length - 1)])
    expectError(
      () => decodeSafetensors(bytes, "a.pth"),
      "input",
      "expected: a whole file of the safetensors format",
      "try: copy or download it again; if it is PyTorch's, convert it in Python",
    );
});
