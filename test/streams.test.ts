/** Streams that are closed or full, and machines that give little: one sentence, the right exit code, no stack. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const images = join(root, "images");
for (const name of ["a", "b"]) mkdirSync(join(images, name), { recursive: true });
writeFileSync(join(root, "t.csv"), "id,label,prediction,cue\n1,0,0,1\n2,1,1,0\n3,0,1,0\n4,1,0,1\n");
const evaluate = "eval - --cues cue";

/** What the shell does before, the command, its exit code, and what stderr says. */
const cases: [string, string, number, RegExp][] = [
  ["exec >/dev/full", "data list", 1, /^error: the answer could not be written: the disk is full/],
  ["exec >/dev/full", "data list --json", 1, /^error: the answer could not be written: the disk is full/],
  ["exec >/dev/full", "data nonsense", 2, /^error: /],
  ["exec >&-", "data list", 0, /^$/],
  ["exec 2>/dev/full", "data check nowhere", 3, /^$/],
  ["exec 2>&-", "data check nowhere", 3, /^$/],
  ["exec > >(head -c 10 >/dev/null)", "data list", 0, /^$/],
  [
    "ulimit -n 64",
    "data list",
    1,
    /^error: too few files may be open in this process[\s\S]*got: 64[\s\S]*ulimit/,
  ],
  ["ulimit -n 30", "data list", 1, /^error: too few files may be open/],
  ["ulimit -n 20", "data list", 1, /^error: too few files may be open/],
  [
    `exec <t.csv; export TMPDIR=${root}/missing`,
    evaluate,
    3,
    /^error: the temporary folder cannot be used: no folder[\s\S]*missing[\s\S]*set TMPDIR/,
  ],
  ["exec <t.csv; export TMPDIR=/proc", evaluate, 3, /^error: the temporary folder cannot be used/],
  [
    "ulimit -c 0 -v 900000",
    "data list",
    1,
    /^error: there is not enough memory[\s\S]*got: 879 MB of addresses/,
  ],
  ["export NODE_OPTIONS=--max-old-space-size=12", "data list", 1, /^error: there is not enough memory/],
  ["export NODE_OPTIONS=--max-old-space-size=200", "data check nowhere", 3, /^error: /],
  ["unset HOME", "data list", 0, /^$/],
  ["export HOME=/nowhere XDG_CACHE_HOME=", "data list", 0, /^$/],
];

test.runIf(existsSync("/dev/full")).each(cases)("%s: cuelab %s", async (prelude, words, code, said) => {
  const outcome = await cuelab(words.split(" "), { cwd: root, prelude });
  expect(outcome.stderr).toMatch(said);
  expect(outcome.stderr).not.toMatch(/\n\s+at |unexpected failure/);
  expect(outcome.code).toBe(code);
});
