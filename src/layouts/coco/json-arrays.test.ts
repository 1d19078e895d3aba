import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { type ElementPlace, parseElement, walkJsonArrays } from "./json-arrays.ts";

const folder = temporaryFolder();

function fileOf(text: string): string {
  const path = join(folder, `${createHash("sha256").update(text).digest("hex")}.json`);
  writeFileSync(path, text);
  return path;
}

async function elements(text: string, name = "a"): Promise<{ value: unknown; offset: number }[]> {
  const path = fileOf(text);
  const found: { value: unknown; offset: number }[] = [];
  await walkJsonArrays(path, {
    [name]: (element, place) =>
      found.push({ value: parseElement(path, element, place), offset: place.offset }),
  });
  return found;
}

test("elements come one at a time, with the byte where they begin", async () => {
  const text =
    ' { "b" : [1, {"a": []}], "é": "x]}\\"\\\\", "n": -1.5e3, "a": [ {"x": [1, "}"]} ,\n{}, {"y": null}] , "z": true}\n';
  const found = await elements(text);
  expect(found.map(({ value }) => value)).toEqual([{ x: [1, "}"] }, {}, { y: null }]);
  const bytes = Buffer.from(text);
  expect(found.map(({ offset }) => bytes.subarray(offset, offset + 2).toString())).toEqual([
    '{"',
    "{}",
    '{"',
  ]);
});

test("elements that pass the border of what is read at once are whole", async () => {
  // A megabyte is read at once: borders fall into numbers, texts with escapes, and names.
  const list = Array.from({ length: 10000 }, (_, i) => ({
    id: i,
    [`na"me${i}`]: "t\\".repeat(i % 50),
    n: [i, { i }],
  }));
  const text = JSON.stringify({ pad: "p".repeat(12345), a: list, [`k${"e".repeat(3000)}`]: 1 });
  expect(text.length).toBeGreaterThan(2 ** 20);
  const found = (await elements(text)).map(({ value }) => value);
  expect(JSON.stringify(found) === JSON.stringify(list)).toBe(true);
});

test("arrays that nobody visits are passed over, and the digest is the file's", async () => {
  const text = '{"a": [{"x": 1}], "b": []}';
  const hash = createHash("sha256");
  await walkJsonArrays(fileOf(text), { a: null, b: null }, hash);
  expect(hash.digest("hex")).toBe(createHash("sha256").update(text).digest("hex"));
});

test.each<[string, string, RegExp]>([
  ["nothing", "", /cut off[\s\S]*byte 0/],
  ["no object", "[]", /broken[\s\S]*byte 0[\s\S]*expected: \{\n {2}got: \[\]/],
  ["a web page", "<!DOCTYPE html>\n<p>", /broken[\s\S]*expected: \{\n {2}got: <!DOCTYPE html>\n/],
  [
    "nothing in a list",
    '{"a": [{}, null]}',
    /item 2 of "a", byte 11\n {2}expected: an object\n {2}got: null/,
  ],
  ["a text cut off", '{"a": [{"x": "te', /cut off[\s\S]*item 1 of "a", byte 16[\s\S]*end of the file/],
  ["an array cut off", '{"a": [{"x": 1},', /cut off[\s\S]*byte 16/],
  ["an object cut off", '{"a": [{"x": 1}]', /cut off[\s\S]*byte 16/],
  ["the wrong bracket", '{"a": [{"x": [1}]}', /broken[\s\S]*byte 15[\s\S]*expected: \]/],
  ["no comma", '{"a": [{} {}]}', /broken[\s\S]*byte 10[\s\S]*expected: , or \]/],
  ["numbers", '{"a": [1, 2]}', /broken[\s\S]*byte 7[\s\S]*expected: an object/],
  ["no list", '{"a": {"x": 1}}', /broken[\s\S]*byte 6[\s\S]*"a" is a list/],
  ["no colon", '{"a" [{}]}', /broken[\s\S]*byte 5[\s\S]*expected: :/],
  ["no name", '{"a": [{}], 5: 1}', /json, byte 12[\s\S]*name of a field/],
  ["two lists", '{"a": [{}], "a": []}', /broken[\s\S]*byte 17[\s\S]*a second "a"/],
  ["another list", '{"b": [{}]}', /no "a"[\s\S]*arrays a, /],
  ["more after the end", '{"a": []} {', /broken[\s\S]*byte 10[\s\S]*after the end/],
  ["a broken element", '{"a": [{"x": 1}, {"x": 1,, "y": 2}]}', /broken[\s\S]*item 2 of "a", byte 25/],
  ["a line break in a text", '{"a": [{"x": "1\n2"}]}', /broken[\s\S]*byte 15[\s\S]*line break/],
])("%s is told with the byte", async (_, text, message) => {
  const path = fileOf(text);
  const visit = (element: Buffer, place: ElementPlace) => void parseElement(path, element, place);
  await expect(
    walkJsonArrays(path, { a: visit, ...(text.includes('"b"') ? { b: null } : {}) }),
  ).rejects.toThrow(message);
});

test("a file that is not there is named", async () => {
  await expect(walkJsonArrays(join(folder, "none.json"), { a: null })).rejects.toThrow(
    /cannot be read[\s\S]*none\.json/,
  );
});

test("what nobody asked for is JSON, too", async () => {
  for (const [value, byte] of [
    ["'a'", 8],
    ["01", 9],
    ["1 2", 10],
    ["{'x': 1}", 9],
    ["[1,]", 8],
    ['"a\\x"', 11],
  ] as const)
    await expect(elements(`{"info":${value},"a":[{}]}`), value).rejects.toMatchObject({
      parts: { what: "the JSON file is broken", where: expect.stringMatching(`byte ${byte}$`) },
    });
  for (const value of ["null", "-1.5e3", "NaN", '"é\\n"', ' [ {"x":[]} ] ', `"${"x".repeat(3 << 20)}"`])
    expect(await elements(`{"info":${value} ,"a":[{}]}`)).toHaveLength(1);
});
