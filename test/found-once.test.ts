/** Files that were once read wrongly, or broke the program, by the smallest form of each. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseExact } from "../src/core/exact-json.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { decodeBmp } from "../src/images/bmp.ts";
import { readVocXml } from "../src/layouts/imagenet-boxes/voc-xml.ts";
import { openAccuracies } from "../src/predictions/accuracies/open-accuracies.ts";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { parseSweep } from "../src/sweeps/sweep-file.ts";
import { npyFile } from "../src/tables/npy.ts";
import { openArrays } from "../src/tables/npz-archive.ts";
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

describe("VOC: what XML does not allow", () => {
  const named = (name: string) => {
    const box = "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox>";
    const text = `<annotation><size><width>2</width><height>2</height></size><object><name>${name}</name>${box}</object></annotation>`;
    return () => readVocXml("a.xml", text, "pixels").objects[0]!.name;
  };

  test.each(["\u0001", "a\fb", "\uffff", "\ud800", "&#1;", "&#99999999;", "&#xd800;", "&copy;", "a & b"])(
    "%j is refused",
    (name) => {
      expect(named(name)).toThrow(/characters that XML does not allow[\s\S]*a\.xml, line 1/);
    },
  );

  test("numbers of characters are read as the characters, and once", () => {
    expect(named("&#x35;&#53; &amp;#x35; &lt;é<![CDATA[ & ]]>")()).toBe("55 &#x35; <é & ");
  });
});

describe("BMP: runs of which programs make different pictures", () => {
  /** Six by three pixels in eight bits, bottom row first. */
  const packed = (runs: readonly number[], colours = 4) => {
    const bytes = Buffer.alloc(70 + runs.length);
    bytes.write("BM");
    const fields = { 10: 70, 14: 40, 18: 6, 22: 3, 30: 1, 46: colours };
    for (const [at, value] of Object.entries(fields)) bytes.writeInt32LE(value, Number(at));
    bytes.writeUInt16LE(8, 28);
    bytes.set([0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0], 54);
    bytes.set(runs, 70);
    return bytes;
  };
  const whole = [6, 1, 0, 0, 6, 2, 0, 0, 6, 3, 0, 1];

  test("whole rows are read", () => {
    expect([...decodeBmp(packed(whole)).data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
  });

  test.each([
    ["a run longer than its row", [7, 1, 0, 0, 6, 2, 0, 0, 6, 3, 0, 1], /beyond row 0 of 6 pixels/],
    ["a row that ends where it begins", [6, 1, 0, 0, 0, 0, 6, 3, 0, 1], /row 1 has no pixels/],
    ["an end before the last row", [6, 1, 0, 0, 6, 2, 0, 1], /end is said before/],
    ["an end within the last row", [...whole.slice(0, 8), 5, 3, 0, 1], /end is said before/],
  ])("%s", (_, runs, message) => {
    expect(() => decodeBmp(packed(runs))).toThrow(message);
  });

  test("a colour that its palette does not have", () => {
    expect(() => decodeBmp(packed(whole, 3))).toThrow(/colour 3 of 3/);
  });

  test("a palette of more colours than the bits can name", () => {
    expect(() => decodeBmp(packed(whole, 1073741828))).toThrow(/palette of 1073741828 colours/);
  });
});

describe("npz: a list of files that programs find or read differently", () => {
  const member = (name: string) => ({ name, bytes: npyFile(Uint8Array.of(1, 2), "<i8"), packed: false });
  const zip = () => writeZip([member("y.npy"), member("x.npy")]);
  const end = (bytes: Buffer) => bytes.length - 22;

  test.each([
    ["a length that is not its own", (bytes: Buffer) => bytes.writeUInt32LE(17, end(bytes) + 12)],
    ["one entry more than are counted", (bytes: Buffer) => bytes.writeUInt16LE(1, end(bytes) + 10)],
  ])("%s", async (_, change) => {
    const bytes = zip();
    change(bytes);
    await expect(openArrays(written("t.npz", bytes))).rejects.toThrow(/its list of files is not where/);
  });

  test("a name with a zero byte", async () => {
    const bytes = writeZip([member("y.npy"), member("x\0.npy")]);
    await expect(openArrays(written("t.npz", bytes))).rejects.toThrow(/a name with a zero byte/);
  });

  test("an array is one by its first bytes, as NumPy has it", async () => {
    const file = { name: "notes.txt", bytes: Buffer.from("no array"), packed: true };
    const path = written("t.npz", writeZip([member("y"), { ...member("z.txt"), packed: true }, file]));
    const { arrays, close } = await openArrays(path);
    expect(arrays.map(({ name }) => name)).toEqual(["y", "z.txt"]);
    await close();
  });
});

test("safetensors with one name twice, of which others refuse the first", () => {
  const entry = '"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}';
  const header = Buffer.from(`{"x":{"note":"a"},${entry}}`);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const bytes = Buffer.concat([length, header, Buffer.alloc(1)]);
  expect(() => decodeSafetensors(bytes, "w")).toThrow(/the name "x" twice/);
});

test("a sweep of aliases of aliases", async () => {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [i, name] of "bcdefghi".split("").entries())
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefghi"[i]}`).join(", ")}]`);
  await expect((async () => parseSweep(lines.join("\n"), "s.yaml"))()).rejects.toThrow(/s\.yaml/);
});

describe("a sweep whose YAML would take minutes", () => {
  const many = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i));
  test.each([
    ["30,000 keys", `base:\n${many(30_000, (i) => `  k${i}: ${i}`).join("\n")}`, /"name" must be given/],
    [
      "30,000 anchors",
      `base:\n${many(30_000, (i) => `  k${i}: &a${i} 1`).join("\n")}`,
      /"name" must be given/,
    ],
    ["30,000 aliases", `x: [${many(30_000, (i) => `&a${i} 1, *a${i}`).join(", ")}]`, /more than 500 aliases/],
    ["five megabytes", `x: ${"a".repeat(5e6)}`, /at most 4,194,304/],
  ])("%s", async (_, text, message) => {
    const before = process.cpuUsage();
    await expect(parseSweep(text, "s.yaml")).rejects.toThrow(message);
    const { user, system } = process.cpuUsage(before);
    // Before, minutes; now less than a second where nothing else runs.
    expect((user + system) / 1e6).toBeLessThan(8);
  });

  test.each([
    ["x: 1\ny: {a: 1, b: 2, a: 3}", /s\.yaml[\s\S]*the key "a" twice in one map, at line 2/],
    ['1: a\n"1": b', /the key "1" twice/],
  ])("a key twice: %s", async (text, message) => {
    await expect(parseSweep(text, "s.yaml")).rejects.toThrow(message);
  });
});

test("a key of YAML that is no text", async () => {
  await expect(parseSweep("? [a]\n: 1", "s.yaml")).rejects.toThrow(/a key that is a list/);
});

test("a bare number of many digits is no name of a field", () => {
  expect(() => parseExact('{"a": 1, 18446744073709551616: 2}')).toThrow(SyntaxError);
  expect(parseExact('{"a": 18446744073709551616, "12345678901234567": 1}')).toEqual({
    a: "18446744073709551616",
    "12345678901234567": 1,
  });
});

test("numbers are decimal ones: VOC", () => {
  const box = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>0x10</xmax><ymax>12</ymax></bndbox>";
  const size = "<size><width>20</width><height>30</height></size>";
  const text = `<annotation>${size}<object><name>cat</name>${box}</object></annotation>`;
  expect(() => readVocXml("a.xml", text, "pixels")).toThrow(/a\.xml/);
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

test("a row of CSV without an end is not said to have too few values", async () => {
  const path = written("t.csv", `id,y_true,y_pred\n${"x".repeat(2 ** 24 + 2 ** 22)},1,1\n`);
  const table = await openTableFile(path);
  const read = async () => {
    for await (const _ of table.batches([{ name: "id", place: 0, as: "texts" }], { workers: 0 }));
  };
  await expect(read()).rejects.toThrow(/rows of at most 16 MB/);
});

test("rows of JSON that share no column are refused before they fill the memory", async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => `{"k${i}":1,"y":0}`);
  await expect(openTableFile(written("t.jsonl", rows.join("\n")))).rejects.toThrow(
    /hardly a column in common[\s\S]*25,005,000 cells, of which 10,000 are in the file.*--limit entries=/,
  );
});

test("lines of JSON with a byte order mark within, as of two files put together", async () => {
  const line = '\ufeff{"y":0}\n';
  expect((await openTableFile(written("t.jsonl", line))).columns).toEqual(["y"]);
  await expect(openTableFile(written("t.jsonl", line + line))).rejects.toThrow(/byte order mark within/);
});
