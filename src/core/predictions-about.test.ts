import { expect, test } from "vitest";
import { readAbout, readMetadata } from "./predictions-about.ts";

test.each(["{", "null", "3", '{"classNames": "cat"}', '{"classNames": [1]}'])(
  "metadata %s is damaged, and the file is named",
  (text) => {
    expect(() => readMetadata(text, "p.parquet")).toThrow(/says of itself is damaged[\s\S]*p\.parquet/);
  },
);

test("files that tell names alone, as earlier ones do, are read", () => {
  expect(readMetadata('{"classNames": ["a", "b"]}', "p.parquet")).toEqual({ classNames: ["a", "b"] });
});

const stored = {
  version: 1,
  data: "d",
  attributes: [{ name: "place", valueNames: ["sea", "land"], role: "cue", classValues: [0, 1] }],
  splits: [{ name: "test", shifted: true, why: "cue" }],
  training: { attributes: ["place"], combinations: 1, widths: [1, 1, 1], base64: "Bw==" },
  origin: null,
};

test("codes that name nothing are refused, whole tables are read", () => {
  const read = (more: object) => () => readAbout({ ...stored, ...more }, ["a", "b"], "p.parquet");
  // One training image of class b on land: the three lowest bits of 7.
  expect(read({})().training).toMatchObject({ labels: Int32Array.of(1), images: Int32Array.of(1) });
  const [place] = stored.attributes;
  expect(read({ attributes: [{ ...place, classValues: [0, 2] }] })).toThrow(/go with no class/);
  expect(read({ attributes: [{ ...place, classValues: [0] }] })).toThrow(/go with no class/);
  expect(read({ attributes: [{ ...place, valueNames: ["sea"], classValues: [0, 0] }] })).toThrow(
    /unknown classes or values/,
  );
  expect(read({ attributes: [] })).toThrow(/unknown classes or values/);
  expect(read({ version: 2 })).toThrow(/is damaged/);
});
