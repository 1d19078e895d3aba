/** Files that were once read wrongly, or broke the program, by the smallest form of each. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseExact } from "../src/core/exact-json.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { readVocXml } from "../src/layouts/imagenet-boxes/voc-xml.ts";
import { openAccuracies } from "../src/predictions/accuracies/open-accuracies.ts";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { parseSweep } from "../src/sweeps/sweep-file.ts";
import { npyFile } from "../src/tables/npy.ts";
import { openTableFile } from "../src/tables/open-table.ts";
import { writeZip } from "./fuzz/mutators/zip.ts";
import { temporaryFolder } from "./helpers/files.ts";

function written(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

function tarOf(files: readonly (readonly [string, string])[]): Buffer {
  const parts = files.flatMap(([name, text]) => {
    const [header, body] = [Buffer.alloc(512), Buffer.alloc(512)];
    header.write(name);
    header.write(`${text.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("0", 156);
    body.write(text);
    let sum = 256;
    for (const [i, byte] of header.entries()) if (i < 148 || i > 155) sum += byte;
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, body];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

test("a sample whose JSON is null, and one with the same file twice", async () => {
  const isNull = written(
    "a.tar",
    tarOf([
      ["s.png", "x"],
      ["s.json", "null"],
    ]),
  );
  await expect(openDataset(isNull)).rejects.toThrow(/no values by name[\s\S]*s\.json/);
  const twice = written(
    "a.tar",
    tarOf([
      ["s.cls", "0"],
      ["s.cls", "1"],
    ]),
  );
  await expect(openDataset(twice)).rejects.toThrow(/the same file twice[\s\S]*s\.cls/);
});

test.each(["__proto__", "constructor", "prototype", "x:object"])("VOC: a tag called %s", (name) => {
  const text = `<annotation><size><width>2</width><height>2</height></size><${name}>1</${name}></annotation>`;
  expect(() => readVocXml("a.xml", text, "pixels")).toThrow(/a\.xml/);
});

test("a sweep of aliases of aliases", async () => {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [i, name] of "bcdefghi".split("").entries())
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefghi"[i]}`).join(", ")}]`);
  await expect((async () => parseSweep(lines.join("\n"), "s.yaml"))()).rejects.toThrow(/s\.yaml/);
});

test("a cell of 30,000 nested objects", async () => {
  const path = written("a.csv", `model,val_acc,test_acc,config\nm,0.5,0.5,"${"{'a': ".repeat(30_000)}"\n`);
  const table = await openAccuracies([path]).catch((cause: Error) => cause);
  if (table instanceof Error) expect(table.message).toMatch(/a\.csv/);
  else expect((await table.read({ numbers: ["val_acc"], texts: [] })).rows).toBe(1);
});

test("a header whose quote does not close takes no rows for its name", async () => {
  await expect(openTableFile(written("t.csv", 'id,"y\n1,2\n3,4\n'))).rejects.toThrow(/a name of a column/);
});

test("an npz with two arrays of one name, of which NumPy would read the second", async () => {
  const member = (value: number) => ({
    name: "y.npy",
    bytes: npyFile(Uint8Array.of(value), "<i8"),
    packed: false,
  });
  await expect(openTableFile(written("t.npz", writeZip([member(1), member(2)])))).rejects.toThrow(
    /two arrays/,
  );
});

test("safetensors with bytes that belong to no tensor", () => {
  const header = Buffer.from(JSON.stringify({ x: { dtype: "F32", shape: [1], data_offsets: [0, 4] } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const bytes = Buffer.concat([length, header, Buffer.alloc(8)]);
  expect(() => decodeSafetensors(bytes, "w")).toThrow(/4 bytes that belong to no tensor/);
});

test("numbers beyond 2^53 stay what they are, and texts that look like NaN stay texts", () => {
  const text = '{"id": 9007199254740993, "n": 12, "note": "[NaN, 1]", "loss": NaN, "low": -Infinity}';
  const expected = { id: "9007199254740993", n: 12, note: "[NaN, 1]", loss: null, low: null };
  expect(parseExact(text)).toEqual(expected);
  // As Python writes float32 numbers: seventeen digits and more behind the point.
  const logits = '{"id": 9007199254740993, "logits": [-0.028505809605121613, 1.6872414946555609e-11]}';
  expect(parseExact(logits)).toEqual({ ...JSON.parse(logits), id: "9007199254740993" });
});
