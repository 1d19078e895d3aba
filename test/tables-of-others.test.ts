/** Predictions in every form that pandas and NumPy write give what pandas counts in them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";
import { npyFile, npyHeader } from "../src/tables/npy.ts";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { storedReference } from "./helpers/reference.ts";

const theirs = storedReference<{
  files: Record<string, string>;
  rows: number;
  accuracy: number;
  groups: { y_true: number; place: string; mean: number; size: number }[];
  guessing: number;
  binaryAccuracy: number;
  missing: number;
}>("pandas_tables");
const folder = temporaryFolder();
const place = (name: string) => join(folder, name);
for (const [name, text] of Object.entries(theirs.files))
  writeFileSync(place(name), Buffer.from(text, "base64"));

const forms = Object.keys(theirs.files).filter((name) => name !== "booleans.csv");

test.each(forms)("%s", async (name) => {
  const report = await evaluatePredictions({ tables: [place(name)], cues: ["place"] });
  expect(report.n).toBe(theirs.rows);
  expect(report.accuracy.samples).toBeCloseTo(theirs.accuracy, 12);
  expect(report.guessing.accuracy).toBeCloseTo(theirs.guessing, 12);
  const group = (label: string | null, value: string) =>
    report.groups.find((each) => each.class === label && each.values.place === value);
  for (const { y_true, place: value, mean, size } of theirs.groups) {
    const ours = group(String(y_true), value)!;
    expect(ours.n).toBe(size);
    expect(ours.accuracy).toBeCloseTo(mean, 12);
  }
  expect(report.groups.filter(({ n }) => n > 0)).toHaveLength(theirs.groups.length);
  expect(report.remarks.join("\n")).toContain(`"place" has no value in ${theirs.missing} of 40 rows`);
});

test("an npz says which arrays it does not use", async () => {
  const { remarks } = await evaluatePredictions({ tables: [place("arrays.npz")], cues: ["place"] });
  expect(remarks).toContain('array "features" of shape (40, 4) is not used: columns have one dimension');
});

test("booleans and 0, 1 are the same two classes", async () => {
  const { classes, accuracy } = await evaluatePredictions({ tables: [place("booleans.csv")], cues: [] });
  expect(classes).toHaveLength(2);
  expect(accuracy.samples).toBeCloseTo(theirs.binaryAccuracy, 12);
});

test("what is piped in is read by its content, and gone afterwards", async () => {
  const printed = [];
  for (const name of ["excel.csv", "lines.jsonl", "columns.parquet", "arrays.npz"]) {
    const outcome = await cuelab(["eval", "-", "--cues", "place", "--json"], {
      cwd: folder,
      env: { TMPDIR: folder },
      started: (child) => child.stdin!.end(Buffer.from(theirs.files[name]!, "base64")),
    });
    expect(outcome.code).toBe(0);
    printed.push(JSON.parse(outcome.stdout).accuracy.samples);
  }
  expect(new Set(printed)).toEqual(new Set([theirs.accuracy]));
  const nothing = await cuelab(["eval", "-"], { started: (child) => child.stdin!.end() });
  expect(nothing.stderr).toContain("where: standard input");
});

const table = (name: string, text: string) => {
  writeFileSync(place(name), text);
  return place(name);
};

test("an id that occurs twice is refused, with what tells the rows apart", async () => {
  const rows = "7,1,1\n8,0,1\n";
  const twice = table("twice.csv", `id,y_true,y_pred\n${rows}${rows}`);
  await expect(evaluatePredictions({ tables: [twice] })).rejects.toThrow(
    /id "7" occurs twice[\s\S]*rows 1 and 3[\s\S]*2 rows repeat[\s\S]*--id-column/,
  );
  const seeds = table("seeds.csv", "id,seed,y_true,y_pred\n7,0,1,1\n8,0,0,0\n7,1,1,1\n8,1,0,1\n");
  await expect(evaluatePredictions({ tables: [seeds] })).rejects.toThrow(/a table for each seed/);
  // 7 and 007 are two; so are rows of two splits.
  const apart = table("apart.csv", "id,split,y_true,y_pred\n7,test,1,1\n007,test,0,0\n7,val,1,1\n");
  expect((await evaluatePredictions({ tables: [apart] })).n).toBe(2);
});

test("a split that is a letter off is told, others are not", async () => {
  const path = table(
    "splits.csv",
    "id,split,y_true,y_pred\n1,test,1,1\n2,test,0,0\n3,tset,1,1\n4,test2,0,1\n",
  );
  const { remarks } = await evaluatePredictions({ tables: [path] });
  expect(remarks.filter((remark) => remark.includes("did you mean"))).toEqual([
    `${path}: 1 row is of split "tset"; did you mean "test"? Its rows do not include it`,
  ]);
});

test("a network that says one class for everything is called out", async () => {
  const path = table("one.csv", "y_true,y_pred\ncat,dog\ndog,dog\ncat,dog\n");
  const { remarks, guessing } = await evaluatePredictions({ tables: [path] });
  expect(remarks.join("\n")).toContain(
    'every prediction is "dog": the network tells nothing apart; always saying "cat" would be right for 66.7%',
  );
  expect(guessing).toEqual({ class: "cat", accuracy: 2 / 3 });
});

test("a list of logits in JSON is a column a class", async () => {
  const rows = [
    { y_true: 1, logits: [-0.028505809605121613, 0.1687241494655609] },
    { y_true: 1, logits: [0.09767648577690125, 0.05326604098081589] },
  ];
  const path = table("logits.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
  expect((await evaluatePredictions({ tables: [path] })).accuracy.samples).toBe(0.5);
});

test("an array of Python objects that is asked for is told with the way out", async () => {
  const zip = new ZipFile();
  for (const name of ["y_true", "y_pred"]) zip.addBuffer(npyFile(Uint8Array.of(0, 1), "|u1"), `${name}.npy`);
  zip.addBuffer(Buffer.concat([npyHeader("|O", [2]), Buffer.from("pickled")]), "place.npy");
  zip.end();
  writeFileSync(place("objects.npz"), await buffer(zip.outputStream));
  await expect(evaluatePredictions({ tables: [place("objects.npz")], cues: ["place"] })).rejects.toThrow(
    /no attribute "place"[\s\S]*of type \|O.*in Python: place\.astype\("U"\)/,
  );
});

test("rows of JSON that are none are told with their line", async () => {
  const path = table("broken.jsonl", '{"y_true": 1, "y_pred": 1}\n[1, 2]\n');
  await expect(evaluatePredictions({ tables: [path] })).rejects.toThrow(
    /a row is no JSON object[\s\S]*line 2/,
  );
  const answers = table("answers.json", '[{"questionId": "1", "prediction": "yes"}]');
  await expect(evaluatePredictions({ tables: [answers] })).rejects.toThrow(/--labels/);
});
