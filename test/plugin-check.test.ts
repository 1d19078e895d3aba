/** `plugin new` and `plugin check`: what is written passes as it is, and what breaks a contract is told. */

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const kinds = ["method", "dataset", "network", "metric", "view", "audit", "study"];

interface Checked {
  brings: Record<string, string[]>;
  checks: { kind: string; entry: string; name: string; problem?: string }[];
}

beforeAll(async () => {
  for (const kind of kinds) {
    for (const ending of ["ts", "mjs"]) {
      const out = join(root, `${kind}.${ending}`);
      expect((await ranHere(["plugin", "new", kind, `my-${kind}`, "--out", out])).code).toBe(0);
    }
  }
});

const checked = (file: string) => cuelab(["plugin", "check", file, "--json"]);

/** A file that brings what these bring: one process for all. */
function together(name: string, files: readonly string[]): string {
  const path = join(root, name);
  const imports = files.map((file, i) => `import part${i} from "./${file}";\n`);
  const parts = files.map((_, i) => `...part${i}`);
  writeFileSync(
    path,
    `import { definePlugin } from "cuelab/plugin";\n${imports.join("")}export default definePlugin({ ${parts.join(", ")} });\n`,
  );
  return path;
}

test.each(kinds)("a new %s passes as it is, in a file that ends in ts", async (kind) => {
  const { brings, checks } = await cuelabJson<Checked>(["plugin", "check", join(root, `${kind}.ts`)]);
  expect(Object.values(brings)).toEqual([[`my-${kind}`]]);
  expect(checks.length).toBeGreaterThan(3);
  expect(checks.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

test("new ones of all kinds pass as they are, in files that end in mjs", async () => {
  const all = together(
    "all.mjs",
    kinds.map((kind) => `${kind}.mjs`),
  );
  const { brings, checks } = await cuelabJson<Checked>(["plugin", "check", all]);
  expect(Object.values(brings).flat().sort()).toEqual(kinds.map((kind) => `my-${kind}`).sort());
  for (const kind of kinds)
    expect(checks.filter(({ entry }) => entry === `my-${kind}`).length, kind).toBeGreaterThan(3);
  expect(checks.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

test("what is to be typed next can be typed, all kinds in one folder", { timeout: 120_000 }, async () => {
  const cwd = join(root, "next");
  mkdirSync(cwd);
  for (const kind of kinds) {
    const { next } = await jsonHere<{ next: string[] }>(
      ["plugin", "new", kind, `my-${kind}`, "--out", `${kind}.ts`],
      { cwd },
    );
    const [check, ...further] = next.map((line) => line.split(" ").slice(1));
    expect(check).toEqual(["plugin", "check", `${kind}.ts`]);
    expect(further.length).toBeGreaterThan(0);
    for (const words of further) {
      const { code, stderr } = await cuelab(words, { cwd });
      expect(code, stderr).toBe(0);
    }
  }
});

test("editors and compilers find no mistake in them, with cuelab beside them for its types", async () => {
  const repository = resolve(import.meta.dirname, "..");
  mkdirSync(join(root, "node_modules"));
  symlinkSync(repository, join(root, "node_modules/cuelab"));
  symlinkSync(join(repository, "node_modules/zod"), join(root, "node_modules/zod"));
  const config = {
    compilerOptions: {
      module: "nodenext",
      target: "es2023",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      types: [],
    },
    files: kinds.map((kind) => `${kind}.ts`),
  };
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", root]).catch(
    (cause: { stdout: string }) => cause,
  );
  expect(stdout).toBe("");
});

/** Words of a template, others in their place, and what is told of it. */
const breaks: [kind: string, word: string, other: string, check: RegExp, problem: RegExp][] = [
  ["method", "mul(hardness, config.power)", "mul(hardness, Math.random())", /one seed/, /other weights/],
  ["method", "search: { power: [0.5", "search: { power: [-1", /search ranges/, /"power"/],
  ["dataset", "random.integer(40)", "Math.floor(40 * Math.random())", /the seed decides/, /one seed differ/],
  [
    "dataset",
    "placed.at(index)",
    "(globalThis.r ??= placed.at(0))",
    /order|seed/,
    /depends on those before|differ/,
  ],
  ["dataset", 'valueNames: ["red", "blue"]', 'valueNames: ["red"]', /columns agree/, /value without a name/],
  ["network", "relu(add(begun, block))", "relu(begun)", /moves every parameter/, /"block\.(weight|bias)"/],
  [
    "metric",
    "accuracies.length === 0 ? null : Math.max(...accuracies)",
    "Math.max(0.5, ...accuracies) + 1",
    /bounds/,
    /leaves its bounds/,
  ],
  ["metric", "groups.filter(({ count }) => count > 0)", "groups", /finite or null/, /no number/],
  [
    "audit",
    "return { classes, difference:",
    "return { classes, at: Math.random(), difference:",
    /equal/,
    /answers otherwise/,
  ],
  ["audit", '.describe("of each class at most")', "", /description/, /nothing says what "images" is/],
  [
    "study",
    "claim,\n        rule",
    'claim: "Another claim",\n        rule',
    /every registered claim/,
    /does not have/,
  ],
  [
    "study",
    "tuning: [], reporting",
    "tuning: [0], reporting",
    /fit together/,
    /for tuning and for reporting/,
  ],
  ["study", 'baseline: "ERM"', 'baseline: ""', /complete/, /empty text/],
  ["view", "random.uniform()", "Math.random()", /random numbers alone/, /equal random numbers/],
  ["view", "return image;", "return { ...image, width: 3 };", /keeps its shape/, /another shape/],
];

/** The first break of every kind in one plugin, the second ones in another, and so on: kinds know nothing of each other. */
const rounds = new Map<number, Promise<Checked>>();

async function roundOf(number: number): Promise<Checked> {
  const files = kinds.flatMap((kind) => {
    const mine = breaks.filter((each) => each[0] === kind)[number];
    if (mine === undefined) return [];
    const [, word, other] = mine;
    const text = readFileSync(join(root, `${kind}.ts`), "utf8");
    expect(text).toContain(word);
    writeFileSync(join(root, `${kind}-${number}.ts`), text.replace(word, other));
    return [`${kind}-${number}.ts`];
  });
  const { code, stdout } = await checked(together(`broken-${number}.ts`, files));
  expect(code).toBe(3);
  return JSON.parse(stdout) as Checked;
}

test.each(breaks)(
  "of a %s with %s made %s, what is broken is told",
  async (kind, _, other, check, problem) => {
    const number = breaks.filter((each) => each[0] === kind).findIndex((each) => each[2] === other);
    const round = rounds.get(number) ?? roundOf(number);
    rounds.set(number, round);
    const { checks } = await round;
    const told = checks.filter((each) => each.entry === `my-${kind}` && each.problem !== undefined);
    expect(told.map(({ name }) => name).join("\n")).toMatch(check);
    expect(told.map((each) => each.problem).join("\n")).toMatch(problem);
  },
);

test("a mistake in its code is told once, by its own lines", async () => {
  const text = readFileSync(join(root, "method.ts"), "utf8");
  const file = join(root, "slip.ts");
  writeFileSync(
    file,
    text.replace(
      "const losses =",
      "batch.lossses;\n      const losses = batch.lossses.first;\n      const _ =",
    ),
  );
  const { code, stdout } = await cuelab(["plugin", "check", file]);
  expect(code).toBe(3);
  expect(stdout.match(/TypeError/g)).toHaveLength(1);
  expect(stdout).toMatch(/at .*slip\.ts:\d+:\d+/);
  expect(stdout).not.toContain("dist/program");
  expect(stdout).toMatch(/✗ .*\n {6}the same\n/);
});

test("what cannot be begun is refused, and nothing is replaced unasked", async () => {
  const refused = async (words: string[], code: number, text: string) => {
    const outcome = await ranHere(["plugin", "new", ...words]);
    expect(outcome.stderr).toContain(text);
    expect(outcome.code).toBe(code);
  };
  await refused(["method", "Mine", "--out", join(root, "x.ts")], 2, "small letters");
  await refused(["method", "mine", "--out", join(root, "x.py")], 2, ".ts, .mts, .js or .mjs");
  await refused(["methd", "mine", "--out", join(root, "x.ts")], 2, "Allowed choices");
  await refused(["method", "mine", "--out", join(root, "method.ts")], 3, "there is a file already");
});
