/** The import law of the design, kept by reading every import of every source file. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import program from "../rolldown.config.ts";

const source = resolve(import.meta.dirname, "../src");

/** Folder → folders it may import from, beside itself and core. */
const law: Record<string, readonly string[]> = {
  core: [],
  disk: [],
  tables: [],
  sources: ["tables"],
  datasets: ["sources"],
  formats: ["datasets", "disk", "sources", "tables"],
  engine: [],
  models: ["engine"],
  methods: ["engine"],
  metrics: [],
  store: ["disk", "formats", "metrics", "tables"],
  protocol: ["datasets", "disk", "engine", "formats", "models", "methods", "metrics", "store", "tables"],
  audits: ["metrics", "engine", "datasets", "formats", "tables"],
  studies: ["protocol", "store"],
  reports: ["metrics", "audits", "studies", "store"],
  cli: [
    "disk",
    "sources",
    "datasets",
    "formats",
    "engine",
    "models",
    "methods",
    "metrics",
    "store",
    "protocol",
    "audits",
    "studies",
    "reports",
  ],
};

interface Import {
  file: string;
  target: string;
}

/** Packages, and files of ours, that only some places may touch: paths start with one of these. */
const guarded: Record<string, readonly string[]> = {
  "onnxruntime-node": ["engine/runtime.ts"],
  "engine/runtime.ts": ["engine/executable.ts", "engine/onnx-model.ts", "engine/blocked", "engine/uncopied"],
  commander: ["cli/"],
};

test("every import between folders is allowed", () => {
  const broken = imports()
    .filter(({ target }) => target.startsWith("."))
    .map(({ file, target }) => ({
      file,
      from: folderOf(file),
      to: folderOf(resolved(file, target)),
    }))
    .filter(({ from, to }) => from !== "" && from !== to && to !== "core" && !law[from]?.includes(to))
    .map(({ file, from, to }) => `${file}: ${from} may not import ${to === "" ? "index.ts" : to}`);
  expect(broken).toEqual([]);
});

test("what is guarded is imported where it may be", () => {
  const broken = imports()
    .map(({ file, target }) => ({ file, target: target.startsWith(".") ? resolved(file, target) : target }))
    .filter(({ file, target }) => guarded[target]?.some((allowed) => file.startsWith(allowed)) === false)
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(broken).toEqual([]);
});

test("every folder of src is in the law", () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !(name in law))).toEqual([]);
});

test("the law would notice a breach", () => {
  const { module } = parseSync("a.ts", 'import { x } from "../cli/run.ts"; await import("../engine/y.ts");');
  expect(targets("a.ts", 'import { x } from "../cli/run.ts"; await import("../engine/y.ts");')).toEqual([
    "../cli/run.ts",
    "../engine/y.ts",
  ]);
  expect(module.staticImports).toHaveLength(1);
});

function imports(): Import[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((name) =>
      targets(name, readFileSync(join(source, name), "utf8")).map((target) => ({ file: name, target })),
    );
}

function targets(name: string, text: string): string[] {
  const { module, errors } = parseSync(name, text);
  expect(errors, name).toEqual([]);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    ),
  ];
}

/** Path of an imported file, relative to src. */
function resolved(file: string, target: string): string {
  return relative(source, resolve(source, dirname(file), target));
}

/** `formats/card/x.ts` → `formats`; files at the top belong to no folder. */
function folderOf(path: string): string {
  return path.includes("/") ? path.split("/")[0]! : "";
}

test("expressions, networks and methods never reach the runtime, not even through others", () => {
  const all = imports();
  const reached = new Set(["engine/expressions.ts", "models/index.ts", "methods/index.ts"]);
  for (const file of reached) {
    for (const { target } of all.filter((entry) => entry.file === file && entry.target.startsWith("."))) {
      reached.add(resolved(file, target));
    }
  }
  expect([...reached]).toContain("engine/ops/convolution.ts");
  expect([...reached]).not.toContain("engine/runtime.ts");
});

test("whatever is started by its path is a file of the program", () => {
  const started = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [
        ...readFileSync(join(source, file), "utf8").matchAll(
          /new URL\("\.\/([\w-]+\.js)", import\.meta\.url\)/g,
        ),
      ].map(([, name]) => join("dist/src", dirname(file), name!)),
    );
  expect(started).toContain(join("dist/src", "protocol/train-process.js"));
  expect(Object.values(program.input as Record<string, string>)).toEqual(expect.arrayContaining(started));
});
