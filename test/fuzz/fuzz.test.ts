/** The short form of `npm run fuzz`: every format, a fixed seed, a few mutants each; and that no reader is left out. */

import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { formats } from "../../src/formats/index.ts";
import { readablePictures } from "../../src/images/file-kind.ts";
import { tableKinds } from "../../src/tables/open-table.ts";
import { temporaryFolder } from "../helpers/files.ts";
import { storedCases } from "./cases.ts";
import { formatNamed, fuzzedFormats } from "./formats/index.ts";
import { Seeded } from "./judge.ts";
import { runFormat } from "./run-format.ts";

/** In folders of src/layouts each is a layout of its own; these read nothing but names of files and folders. */
const namesAlone = new Map([
  ["places", "folders named by category"],
  ["imagenet-boxes", "voc and synsets stand for it"],
]);

/** Besides those that are called so: readers of what people have beside a network. */
const ofFiles = ["stated-preparation", "prompts", "text-embeddings"];

describe("every reader has a fuzzed seed", () => {
  const covered = new Set(fuzzedFormats.flatMap(({ covers }) => covers));
  const asked = readdirSync(join(import.meta.dirname, "../../src/training/asked"), { recursive: true })
    .map((file) => basename(String(file), ".ts"))
    .filter((name) => name.endsWith("-file") || ofFiles.includes(name))
    .map((name) => `asked ${name}`);
  const layouts = readdirSync(join(import.meta.dirname, "../../src/layouts"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !namesAlone.has(entry.name))
    .map(({ name }) => `layout ${name}`);
  test.each([
    [
      "storage formats",
      formats.names.filter((name) => name !== "urban-cars").map((name) => `format ${name}`),
    ],
    ["kinds of tables", tableKinds.map((kind) => `table ${kind}`)],
    ["kinds of pictures", readablePictures.map((kind) => `picture ${kind}`)],
    ["folders of layouts", layouts],
    ["files beside networks", asked],
  ])("%s", (_, wanted) => {
    expect(wanted.length).toBeGreaterThan(2);
    expect(wanted.filter((each) => !covered.has(each))).toEqual([]);
  });
});

const root = temporaryFolder();

/** As long as nothing goes wrong, in this process, where it is quickest. */
test.each(fuzzedFormats.map(({ name }) => name))("%s: a few mutants", async (name) => {
  const folder = join(root, name.replaceAll(/\W+/g, "-"));
  mkdirSync(folder);
  const seeded = await Seeded.write(formatNamed(name), folder);
  for (let index = 0; index < 6; index++) {
    const { outcome, note } = await seeded.judge(seeded.mutant(1, index));
    expect(["unexpected", "wrong"], `mutant ${index}: ${note}`).not.toContain(outcome);
  }
});

test("what went wrong once does not again", async () => {
  for (const { format, was, bytes } of storedCases()) {
    const seeded = await Seeded.write(formatNamed(format), mkdtempSync(join(root, "case-")));
    const { outcome, note } = await seeded.judge(bytes);
    expect(["unexpected", "wrong"], `${format}, once ${was}: ${note}`).not.toContain(outcome);
  }
});

test("processes are watched, and their mutants counted", async () => {
  const { mutants, counts, failures, memory } = await runFormat("VOC XML", { seed: 2, mutants: 30 });
  expect(mutants).toBe(30);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(30);
  expect(counts.refused).toBeGreaterThan(0);
  expect([...failures]).toEqual([]);
  if (process.platform === "linux") expect(memory).toBeGreaterThan(0);
});
