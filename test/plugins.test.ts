/** Methods, datasets, networks and metrics from files outside the repository, under the commands that use them. */

import { execFile } from "node:child_process";
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { ermFiles, metricFile, networkFile, squaresFile, writePlugin } from "./helpers/plugins.ts";

const root = temporaryFolder();
const method = writePlugin(join(root, "method"), ermFiles);
const dataset = writePlugin(join(root, "dataset"), { "squares.mjs": squaresFile });
const network = writePlugin(join(root, "network"), { "gated.js": networkFile });
const metric = writePlugin(join(root, "metric"), { "metric.mts": metricFile });

const digits = ["--data", "colored-mnist", "--set", "trainPerEnvironment=60", "--set", "size=14"];
const brief = ["--epochs", "1", "--threads", "1"];

interface Spec {
  id: string;
  plugins?: { path?: string; digest: string }[];
}

function specOf(out: string): Spec {
  return JSON.parse(readFileSync(join(root, out, "spec.json"), "utf8")) as Spec;
}

async function train(out: string, ...words: string[]): Promise<Spec> {
  const { code, stderr } = await cuelab(["train", ...brief, "--out", join(root, out), "--quiet", ...words]);
  expect([code, stderr]).toEqual([0, ""]);
  return specOf(out);
}

async function refused(words: readonly string[], code: number, ...texts: string[]): Promise<void> {
  const outcome = await cuelab(words);
  for (const text of texts) expect(outcome.stderr).toContain(text);
  expect(outcome.code).toBe(code);
}

describe("a method", () => {
  const mlp = [...digits, "--model", "mlp"];

  test("gives what the same one inside gives, bit for bit, and has the plugin's digest in its id", async () => {
    const inside = await train("inside", ...mlp);
    const own = await train("own", ...mlp, "--method", "mine", "--plugin", method);
    const weights = (out: string) =>
      decodeSafetensors(readFileSync(join(root, out, "weights.safetensors")), out).tensors;
    expect(weights("own")).toEqual(weights("inside"));
    expect(inside.plugins).toBeUndefined();
    expect(own.plugins).toEqual([{ path: method, digest: expect.stringMatching(/^sha256:[\da-f]{64}$/) }]);
  });

  test("is found again where its folder has moved, and is another run where a file that it imports has changed", async () => {
    const first = await train("own", ...mlp, "--method", "mine", "--plugin", method);
    cpSync(join(root, "method"), join(root, "moved"), { recursive: true });
    renameSync(join(root, "moved/mine.ts"), join(root, "moved/renamed.ts"));
    const moved = await train("own", ...mlp, "--method", "mine", "--plugin", join(root, "moved/renamed.ts"));
    expect(moved).toEqual(first);
    writeFileSync(join(root, "moved/parts/title.ts"), 'export const title: string = "Changed";\n');
    const changed = ["--plugin", join(root, "moved/renamed.ts"), "--out", join(root, "own")];
    await refused(
      ["train", ...brief, ...mlp, "--method", "mine", ...changed],
      3,
      "another run is there already",
    );
  });

  test("leaves no trace in runs that do not use it", async () => {
    const { id } = await train("inside", ...mlp, "--plugin", method, "--plugin", dataset);
    expect(id).toBe(specOf("inside").id);
    expect(specOf("inside").plugins).toBeUndefined();
  });

  test("is a choice before and after the command's name, in help too", async () => {
    for (const words of [
      ["--plugin", method, "train", "--help"],
      ["help", "train", "--plugin", method],
      ["train", `--plugin=${method}`, "--help"],
    ]) {
      const { stdout, code } = await cuelab(words);
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain('"mine", default: "erm"');
    }
  });

  test("a plugin must be named", async () => {
    for (const words of [["data", "list", "--plugin"], ["--plugin", "--json", "data", "list"], ["--plugin="]])
      await refused(words, 2, "--plugin needs a file or a package");
  });

  test("runs in a sweep, named beside the sweep's file", async () => {
    const file = join(root, "method/sweep.yaml");
    writeFileSync(
      file,
      `name: s
plugins: [./mine.ts]
base:
  data: { name: colored-mnist, settings: { trainPerEnvironment: 60, size: 14 } }
  model: { name: mlp }
  epochs: 1
runs:
  - { label: inside, method: { name: erm } }
  - { label: own, method: { name: mine } }
`,
    );
    const found = await cuelabJson<{
      entries: { label: string; runs: { state: string; accuracy: unknown }[] }[];
    }>(["sweep", "run", file, "--out", join(root, "sweep")]);
    const [inside, own] = found.entries;
    expect(own!.runs.map(({ state }) => state)).toEqual(["done"]);
    expect(own!.runs[0]!.accuracy).toEqual(inside!.runs[0]!.accuracy);
  });
});

describe("a dataset", () => {
  test("is listed, shown and made, by any number of threads", async () => {
    const listed = await cuelabJson<{ datasets: { name: string }[] }>(["data", "list", "--plugin", dataset]);
    expect(listed.datasets.map(({ name }) => name)).toContain("squares");
    const made = [];
    for (const workers of ["1", "2"]) {
      const out = join(root, `squares-${workers}`);
      const words = ["data", "make", "squares", "--plugin", dataset, "--workers", workers, "--out", out];
      made.push(await cuelabJson<{ hash: string; sources: { name: string }[] }>(words));
    }
    expect(made[1]!.hash).toBe(made[0]!.hash);
    const manifest = JSON.parse(readFileSync(join(root, "squares-1/dataset.json"), "utf8")) as {
      sources: { name: string; sha256: Record<string, string> }[];
    };
    expect(manifest.sources.map(({ name }) => name)).toEqual(["code of a plugin"]);
  });

  test("is trained on with a network of one's own, in a process and its thread, and evaluated by a metric of one's own", async () => {
    const words = ["--data", "squares", "--model", "gated", "--plugin", dataset, "--plugin", network];
    const { plugins } = await train("squares-run", ...words);
    expect(plugins).toHaveLength(2);
    const out = join(root, "squares-run");
    const evaluated = await cuelab(["eval", out, "--plugin", metric]);
    expect(evaluated.code).toBe(0);
    expect(evaluated.stdout).toContain("smallest group among all images");
    // The table tells all that the others need.
    expect((await cuelab(["eval", out])).code).toBe(0);
    await refused(["runs", "list", root, "--plugin", join(root, "none.ts")], 3, 'there is no plugin "');
  });

  test("makes a pool, in several processes", async () => {
    const words = [
      "pool",
      "run",
      "squares",
      "--plugin",
      dataset,
      "--ood-splits",
      "test",
      "--classifiers",
      "16",
    ];
    const outcome = await cuelab([...words, "--workers", "2", "--steps", "10", "--out", join(root, "pool")]);
    expect([outcome.code, outcome.stderr.includes("Error")]).toEqual([0, false]);
    const about = JSON.parse(readFileSync(join(root, "pool/pool.json"), "utf8")) as Spec;
    expect(about.plugins).toHaveLength(1);
  });

  test("and a network as extractor of a pool: its code, which the run names, is part of the pool's id", async () => {
    const run = join(root, "squares-run");
    const words = [
      ..."pool run squares --ood-splits test --classifiers 8 --steps 5".split(" "),
      "--plugin",
      dataset,
    ];
    const given = ["--features", "network", "--extractors", run];
    const out = join(root, "extracted-pool");
    const outcome = await cuelab([...words, ...given, "--workers", "1", "--out", out]);
    expect([outcome.code, outcome.stderr.includes("Error")]).toEqual([0, false]);
    const about = JSON.parse(readFileSync(join(out, "pool.json"), "utf8")) as Spec;
    const { plugins } = JSON.parse(readFileSync(join(run, "spec.json"), "utf8")) as Spec;
    expect(about.plugins).toEqual(plugins);
    expect(about.plugins).toHaveLength(2);
  });

  test("and a network: features come by the run alone, which says where its plugins lay", async () => {
    const words = ["features", "extract", join(root, "squares-run"), "--out", join(root, "features")];
    expect(await cuelabJson<{ width: number }>(words)).toMatchObject({ width: 8 });
  });
});

test("a view is found by the thread that makes batches, and is part of the id", async () => {
  const view = writePlugin(join(root, "view"), {
    "inverted.ts": `import { definePlugin, defineView } from "cuelab/plugin";
import { z } from "zod";

const inverted = defineView({
  name: "inverted",
  description: "light becomes dark",
  version: 1,
  settings: z.object({}),
  examples: [],
  make: (image) => ({ ...image, data: image.data.map((value) => 255 - value) }),
});

export default definePlugin({ views: [inverted] });
`,
  });
  const words = [...digits, "--model", "mlp"];
  const given = ["--augment", "inverted", "--plugin", view];
  const [plain, changed] = [await train("plain", ...words), await train("inverted", ...words, ...given)];
  expect(plain.plugins).toBeUndefined();
  expect(changed.plugins).toHaveLength(1);
  const [a, b] = ["plain", "inverted"].map((out) => readFileSync(join(root, out, "weights.safetensors")));
  expect(a!.equals(b!)).toBe(false);
});

describe("in the library", () => {
  const useFrom = async (...words: string[]) => {
    const script = join(import.meta.dirname, "helpers/library-plugin.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...words]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test("use() brings a file's, once, with the library's own modules in it, also in the process that trains", async () => {
    const used = await useFrom("file", method, join(root, "by-library"));
    expect(used).toEqual({
      brings: { methods: ["mine"] },
      again: true,
      sameZod: true,
      names: ["mine"],
      id: specOf("by-library").id,
      weights: true,
    });
    expect(specOf("by-library").plugins).toHaveLength(1);
  });

  test("an object is for this process alone, and a run with it is refused by name", async () => {
    expect(await useFrom("object")).toEqual({
      brings: { methods: ["inner"] },
      error: expect.stringContaining("known to this process alone"),
    });
  });

  test("a run's spec brings its plugins from where they lay, unless they have changed", async () => {
    const own = writePlugin(join(root, "spec-method"), ermFiles);
    await useFrom("file", own, join(root, "by-spec"));
    expect(await useFrom("spec", join(root, "by-spec"), join(root, "by-spec-again"))).toEqual({
      state: "done",
    });
    writePlugin(join(root, "spec-method"), { ...ermFiles, "parts/title.ts": "export const title = 'X';" });
    expect(await useFrom("spec", join(root, "by-spec"), join(root, "by-spec-third"))).toEqual({
      error: expect.stringContaining("another one than the spec names"),
    });
  });
});

describe("what is wrong with a plugin is told", () => {
  const list = (file: string) => ["data", "list", "--plugin", file];
  let count = 0;
  const written = (text: string, ending = "ts") =>
    writePlugin(join(root, `wrong-${count++}`), { [`mine.${ending}`]: text });
  const fromPlugin = 'import { definePlugin } from "cuelab/plugin";\n';

  beforeAll(() => {
    expect(root.startsWith(process.cwd())).toBe(false);
  });

  test("a taken name, with who has it", async () => {
    const taken = written(
      ermFiles["mine.ts"].replace('"mine"', '"erm"').replace("./parts", "../method/parts"),
    );
    await refused(["train", "--help", "--plugin", taken], 3, 'method "erm" is taken', "cuelab itself", taken);
    const other = writePlugin(join(root, "second"), { "squares.mjs": `${squaresFile}\n` });
    await refused([...list(other), "--plugin", dataset], 3, 'dataset "squares" is taken', other, dataset);
  });

  test.each([
    [
      "ts",
      'interface A { b: string }\n\nconst a = (x: number): never => { throw new Error("at once"); };\na(1);\n',
      ":3:41",
    ],
    ["js", '\nexport default 1;\n\nthrow new Error("at once");\n', ":4:7"],
  ])("throwing while it is loaded (%s), with the right line", async (ending, text, place) => {
    const file = written(text, ending);
    await refused(list(file), 3, "failed while it was loaded", `${file}${place}`, "at once");
  });

  test.each([
    [
      "computed import",
      `const name = "./x.ts";\nawait import(name);\n`,
      "ts",
      ["computes what it imports", ":2:7"],
    ],
    ["createRequire", `import { createRequire } from "node:module";\n`, "ts", ["node:module"]],
    ["a missing file", `import "./other.ts";\n`, "ts", ['"./other.ts"', "no such file"]],
    ["a missing package", `import "no-such-package";\n`, "ts", ["not installed"]],
    ["an unknown part of cuelab", `import "cuelab/engin";\n`, "ts", ['did you mean "cuelab/engine"']],
    ["an enum", `const a = 1;\nenum B { c }\n`, "ts", ["more than types", ":2:1"]],
    ["no TypeScript", `const a: = 1;\n`, "ts", ["no TypeScript", ":1:10"]],
    ["CommonJS", `module.exports = {};\n`, "cjs", ["ends in one of"]],
    ["no export", `const a = 1;\n`, "ts", ["exports no plugin", "no default export"]],
    [
      "an export of another kind",
      `${fromPlugin}export default definePlugin({ methds: [] });\n`,
      "js",
      ['"methds"', '"methods"'],
    ],
    [
      "drawings",
      `${fromPlugin}export default definePlugin({ drawings: [] });\n`,
      "js",
      ['cannot bring "drawings"'],
    ],
    [
      "another version",
      `${fromPlugin}export default definePlugin({ cuelab: "^7.0.0" });\n`,
      "ts",
      ["another version", "^7.0.0"],
    ],
    [
      "an import that is not there",
      `import { nothing } from "cuelab/engine";\nexport default nothing;\n`,
      "ts",
      ['"nothing", which is not there'],
    ],
    [
      "a nameless entry",
      `${fromPlugin}export default definePlugin({ metrics: [{}] });\n`,
      "js",
      ["a name in metrics"],
    ],
    [
      "half an entry",
      `${fromPlugin}export default definePlugin({ metrics: [{ name: "a", title: "b" }] });\n`,
      "js",
      ['"a" in metrics has no better'],
    ],
  ])("%s", async (_, text, ending, texts) => {
    await refused(list(written(text, ending)), 3, ...texts);
  });
});
