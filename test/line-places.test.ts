/** Where `cuelab line` writes to: what is in the way is said in words, and before the long work. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CuelabError } from "../src/core/errors.ts";
import { writeWhole } from "../src/disk/write-whole.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { cuelabHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const taken = join(root, "file");
writeFileSync(taken, "mine");
mkdirSync(join(root, "folder"));
// A table that is not there: whatever is said about places was said before anything was read.
const line = ["line", join(root, "none.csv"), "--id", "a", "--ood", "b"];

test.each([
  ["--write-accuracies", join(taken, "x.csv"), /a file already where a folder is needed[\s\S]*file\n/],
  ["--write-accuracies", join(taken, "deep", "x.csv"), /part of the path is a file[\s\S]*another place/],
  ["--write-accuracies", join(root, "folder"), /a folder already where a file is needed/],
  ["--plots", taken, /a file already where a folder is needed/],
  ["--plots", join(taken, "x"), /part of the path is a file/],
])("%s %s", async (option, place, said) => {
  const refused = await cuelabHere(...line, option, place).catch((cause: unknown) => cause);
  expect(refused).toBeInstanceOf(CuelabError);
  expect(refused).toMatchObject({ kind: "input", message: expect.stringMatching(said) });
  expect(readFileSync(taken, "utf8")).toBe("mine");
});

test("a file that cannot be written is told by its cause, and leaves nothing", async () => {
  await expect(writeWhole(join(taken, "deep", "x"), "", { overwrite: true })).rejects.toThrow(
    /part of the path is a file/,
  );
  await expect(writeWhole(join(root, "folder"), "", { overwrite: true })).rejects.toThrow(/a folder already/);
  expect(readdirSync(root).sort()).toEqual(["file", "folder"]);
});
