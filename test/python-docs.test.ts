/** The snippets of docs/python.md are those that were run, with the versions that the page tells. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { datasets } from "../src/datasets/index.ts";
import { storedReference } from "./helpers/reference.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/python.md"), "utf8");
const blocks = [...page.matchAll(/^```(sh|python)\n(.*?)^```$/gms)].map(([, , text]) => text!);
const { snippets } = storedReference<{ snippets: { digest: string; printed: string[] }[] }>("python_docs");

test("each was run as it stands", () => {
  const digests = blocks.map((text) => createHash("sha256").update(text).digest("hex"));
  expect(digests, "run them again: npm run referee -- python_docs.py").toEqual(
    snippets.map(({ digest }) => digest),
  );
  expect(blocks.length).toBeGreaterThan(10);
});

test("the page tells the versions", () => {
  const { versions } = JSON.parse(
    readFileSync(join(import.meta.dirname, "references/python_docs.json"), "utf8"),
  ) as { versions: Record<string, string> };
  const told = page.slice(page.indexOf("## Versions")).replaceAll("\n", " ").toLowerCase();
  for (const [name, version] of Object.entries(versions)) expect(told).toContain(`${name} ${version}`);
});

test("what Python's libraries read is what was made", async () => {
  const printed = snippets.flatMap((snippet) => snippet.printed);
  const { labels, splits, attributes } = await datasets
    .get("colored-mnist")
    .build({ trainPerEnvironment: 200 }, 0);
  const counts = [0, 1].map((label) =>
    [0, 1].map(
      (color) =>
        labels.filter(
          (each, i) => each === label && splits.values[i] === 0 && attributes.color!.values[i] === color,
        ).length,
    ),
  );
  const sizes = [0, 1, 2].map((split) => splits.values.filter((each) => each === split).length);
  expect(printed).toContain(JSON.stringify(counts).replaceAll(",", ", "));
  expect(printed).toContain(sizes.join(" "));
  const name = attributes.color!.valueNames[1];
  expect(printed.find((line) => line.startsWith(`${name} [`))).toBeDefined();
  // Through mlcroissant: all of a folder and of Parquet, each split of a webdataset, rows of an npz.
  const parts = [labels.length, labels.length, ...sizes];
  const loaded = printed.flatMap((line) => /^[DPW] \w+ (\d+) \(28, 28\) [01] \S+$/.exec(line)?.[1] ?? []);
  expect(loaded.map(Number)).toEqual(parts);
  expect(printed).toContain(`N ${labels.length} True`);
  // Attributes of the npz, logits of model.onnx, accuracy and worst group of a table that is piped in and of an npz; what W&B has.
  expect(printed.filter((line) => line.endsWith("True"))).toHaveLength(5);
  expect(printed.slice(-3)).toEqual([
    '"model." stands before the names of the network',
    "erm True",
    "True model.onnx",
  ]);
});
