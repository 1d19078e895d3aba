/** The library's page: its examples run as they stand, and settings are checked by the compiler. */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { chosen, coloredMnist } from "../src/index.ts";
import { groupDro } from "../src/methods/index.ts";
import { temporaryFolder } from "./helpers/files.ts";

const repository = resolve(import.meta.dirname, "..");

/** All `ts` blocks of a page as one program; imports may stand anywhere in a module. */
function programOf(page: string): string {
  const text = readFileSync(join(repository, "docs", page), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code).join("\n");
}

test("the examples of docs/library.md run as they stand", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(repository, join(folder, "node_modules", "cuelab"));
  writeFileSync(join(folder, "examples.mjs"), programOf("library.md"));
  const { stdout } = await promisify(execFile)("node", ["examples.mjs"], { cwd: folder });
  expect(stdout).toMatch(/epoch 3: 0\.\d+/);
  expect(stdout).toMatch(/images, 2 classes/);
  expect(stdout).toMatch(/the data is in this process's memory alone/);
  expect(stdout).toMatch(/plain: 2 runs/);
  expect(stdout).toMatch(/6 finished runs/);
  expect(stdout).toContain("0.107 0.092 0.121 2\nseen 0.019\n");
  for (const run of ["first", "typed", "half", "inverted"])
    expect(existsSync(join(folder, "runs", run, "manifest.json")), run).toBe(true);
  // The pixels that were given were trained on, and not those that they were made from.
  const model = (run: string) => readFileSync(join(folder, "runs", run, "weights.safetensors"));
  expect(model("half").equals(model("inverted"))).toBe(false);
});

test("settings are checked by the compiler", () => {
  expect(chosen(groupDro, { stepSize: 0.1 })).toEqual({ name: "group-dro", settings: { stepSize: 0.1 } });
  // @ts-expect-error: a number is wanted
  chosen(groupDro, { stepSize: "0.1" });
  // @ts-expect-error: there is no such setting
  chosen(coloredMnist, { trainPerEnviroment: 100 });
});
