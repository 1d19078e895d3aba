import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodeMatFile } from "../../../test/helpers/mat-file.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { readMatFile } from "./mat-file.ts";

/** Packed by Python from MathWorks' description: test/references/mat_file.py. */
const reference = storedReference<Record<"compressed" | "plain" | "bigEndian", string>>("mat_file");

const bytesOf = (name: keyof typeof reference) => Buffer.from(reference[name], "base64");

test.each(["compressed", "plain", "bigEndian"] as const)("structs, cells, texts and numbers, %s", (name) => {
  expect(readMatFile("a.mat", bytesOf(name))).toEqual({
    annotations: [
      { bbox_x1: [39], class: [14], fname: "00001.jpg" },
      { bbox_x1: [1024], class: [3], fname: "00002.jpg" },
      { bbox_x1: [5], class: [196], fname: "08144.jpg" },
    ],
    class_names: ["AM General Hummer SUV 2000", "Acura RL Sedan 2012", "M6"],
    m: [1.5, -2, 0.25, 1e9],
  });
});

test("what the tests write is read back", () => {
  const variables = { names: ["a", "bcd"], records: [{ x: 3, y: "é" }], n: 0.5 };
  expect(readMatFile("a.mat", encodeMatFile(variables))).toEqual({
    names: ["a", "bcd"],
    records: [{ x: [3], y: "é" }],
    n: [0.5],
  });
});

test.each<[string, Uint8Array, RegExp]>([
  ["nothing", new Uint8Array(0), /cannot be read[\s\S]*a\.mat[\s\S]*0 bytes/],
  ["another file", Buffer.alloc(300, "x"), /do not begin as such a file/],
  ["a newer file", Buffer.from("MATLAB 7.3 MAT-file".padEnd(200)), /MATLAB 7\.3 \(HDF5\)/],
  ["a file cut off", bytesOf("plain").subarray(0, 400), /ends \d+ bytes too early/],
  ["a compressed file cut off", bytesOf("compressed").subarray(0, 200), /ends \d+ bytes too early/],
  ["damaged data", Buffer.from(bytesOf("compressed")).fill(7, 150, 170), /compressed data before byte \d+/],
])("%s is refused by name", (_, bytes, message) => {
  expect(() => readMatFile("a.mat", bytes)).toThrow(message);
});

test("names of variables and fields in data that is no text", () => {
  const whole = bytesOf("plain");
  for (const name of ["class_names", "annotations"]) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt32LE(9, bytes.indexOf(name) - 8);
    expect(() => readMatFile("a.mat", bytes)).toThrow(/a name in data of type 9/);
  }
});

test.each<[string, (text: Buffer) => unknown, RegExp]>([
  ["bytes that are no UTF-8", (text) => text.fill(0xff, 1, 2), /a text that is no UTF-8/],
  ["a zero byte", (text) => text.fill(0, 5, 6), /a text with the letter 0/],
  ["fewer letters than its dimensions say", (text) => text.write("é", 1), /an array of 9 with 8 values/],
])("a text of %s", (_, change, message) => {
  const bytes = Buffer.from(bytesOf("plain"));
  change(bytes.subarray(bytes.indexOf("00002.jpg")));
  expect(() => readMatFile("a.mat", bytes)).toThrow(message);
});

test("letters of two bytes are UTF-16, and halves of them none", () => {
  expect(readMatFile("a.mat", encodeMatFile({ text: "中𝔸" }))).toEqual({ text: "中𝔸" });
  expect(() => readMatFile("a.mat", encodeMatFile({ text: "a\ud800" }))).toThrow(/a text that is no UTF-16/);
});

test("bytes behind a compressed variable", () => {
  const whole = bytesOf("compressed");
  const length = whole.readUInt32LE(132);
  const body = deflateSync(Buffer.concat([inflateSync(whole.subarray(136, 136 + length)), Buffer.alloc(8)]));
  const tag = Buffer.from(whole.subarray(128, 136));
  tag.writeUInt32LE(body.length, 4);
  const bytes = Buffer.concat([whole.subarray(0, 128), tag, body, whole.subarray(136 + length)]);
  expect(() => readMatFile("a.mat", bytes)).toThrow(/8 bytes behind a compressed variable/);
});
