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
  formats: ["datasets", "disk", "plugins", "sources", "tables"],
  engine: [],
  models: ["engine"],
  // Layers of a method's own are the networks'; views are named by stages.
  methods: ["engine", "models", "views"],
  views: [],
  metrics: [],
  // What a plugin imports of the library is handed on from here: "" are the files at the top.
  plugins: ["engine", "methods", ""],
  store: ["disk", "formats", "metrics", "tables"],
  protocol: [
    "datasets",
    "disk",
    "engine",
    "formats",
    "models",
    "methods",
    "metrics",
    "plugins",
    "store",
    "tables",
    "views",
  ],
  charts: [],
  published: [],
  audits: ["charts", "disk", "formats", "metrics", "protocol", "published", "sources", "store", "tables"],
  contracts: [
    "audits",
    "charts",
    "reports",
    "datasets",
    "disk",
    "engine",
    "formats",
    "methods",
    "metrics",
    "models",
    "plugins",
    "protocol",
    "store",
    "studies",
    "views",
  ],
  // Jobs ask audits and keep their answers; figures are charts.
  studies: ["audits", "charts", "disk", "metrics", "protocol", "published", "store"],
  reports: ["audits", "charts", "metrics", "studies", "store"],
  cli: [
    "charts",
    "disk",
    "sources",
    "datasets",
    "formats",
    "engine",
    "models",
    "methods",
    "metrics",
    "store",
    "contracts",
    "plugins",
    "protocol",
    "audits",
    "studies",
    "reports",
    "views",
  ],
};

interface Import {
  file: string;
  target: string;
}

/** Packages, and files of ours, that only some places may touch: paths start with one of these. */
const guarded: Record<string, readonly string[]> = {
  "onnxruntime-node": ["engine/runtime.ts"],
  "engine/runtime.ts": [
    "engine/executable.ts",
    "engine/onnx-model.ts",
    "engine/blocked",
    "engine/uncopied",
    "contracts/",
  ],
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
  return sources().flatMap(({ file, text }) => targets(file, text).map((target) => ({ file, target })));
}

function sources(): { file: string; text: string }[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(join(source, file), "utf8") }));
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

/** What changes the disk, by the names that node:fs and node:fs/promises give it; each also ends in Sync there. */
const diskChangers = new Set(
  "appendFile chmod chown copyFile cp createWriteStream fchmod fchown ftruncate futimes lchown link lutimes mkdir mkdtemp rename rm rmdir symlink truncate unlink utimes write writeFile writev".split(
    " ",
  ),
);

/** Who else may, and why: only inside a folder of `OutputFolder` that nobody sees until it is whole. */
const streamingWriters: Record<string, { uses: readonly string[]; why: string }> = {
  "formats/process-chunk.ts": { uses: ["writeFile"], why: "workers write each image's file themselves" },
  "formats/boxes.ts": { uses: ["createWriteStream"], why: "a table too long for memory, row by row" },
  "formats/metadata-table.ts": {
    uses: ["createWriteStream"],
    why: "a table too long for memory, row by row",
  },
  "formats/npz.ts": { uses: ["createWriteStream"], why: "an archive larger than memory, as images come" },
  "formats/webdataset.ts": { uses: ["createWriteStream"], why: "shards larger than memory, as images come" },
  "formats/folder.ts": { uses: ["mkdir"], why: "folders of the splits, before workers write into them" },
  "formats/parquet.ts": { uses: ["mkdir", "fileWriter"], why: "shards larger than memory, as images come" },
  "formats/urban-cars.ts": { uses: ["mkdir"], why: "folders of the groups, before workers write into them" },
  "formats/side-images.ts": {
    uses: ["mkdir"],
    why: "folders of side images, before workers write into them",
  },
};

test("only disk/ changes what is on the disk, and named writers inside unfinished folders", () => {
  const found = sources().flatMap(({ file, text }) =>
    changesOfDisk(file, text).map((use) => ({ file, use })),
  );
  const outside = found.filter(({ file }) => !file.startsWith("disk/"));
  const broken = outside.filter(({ file, use }) => streamingWriters[file]?.uses.includes(use) !== true);
  expect(broken).toEqual([]);
  // Nobody keeps a right that is not used; and the rights are seen.
  for (const [file, { uses, why }] of Object.entries(streamingWriters)) {
    expect(
      outside
        .filter((each) => each.file === file)
        .map(({ use }) => use)
        .sort(),
      file,
    ).toEqual([...uses].sort());
    console.info(`${file} uses ${uses.join(", ")}: ${why}`);
  }
  expect(found.map(({ file }) => file)).toContain("disk/write-whole.ts");
});

test.each([
  ['import { rmSync as gone } from "node:fs";', ["rm"]],
  ['import { type FileHandle, readFile, writeFile } from "fs/promises";', ["writeFile"]],
  ['import * as fs from "node:fs";', ["all of node:fs"]],
  ['import fs from "node:fs/promises";', ["all of node:fs/promises"]],
  ['const { rename } = await import("node:fs/promises");', ["all of node:fs/promises"]],
  ['import { open } from "node:fs/promises"; await open(join(a, "b"), "r");', []],
  ['import { open } from "node:fs/promises"; await open(join(a, b(c)), "wx", 1);', ["open to write"]],
  ['import { openSync } from "node:fs"; openSync(path, flags);', ["open to write"]],
  ['import { fileWriter } from "hyparquet-writer";', ["fileWriter"]],
])("a change of the disk would be noticed: %s", (text, expected) => {
  expect(changesOfDisk("a.ts", text)).toEqual(expected);
});

function changesOfDisk(file: string, text: string): string[] {
  const { module, program: tree } = parseSync(file, text);
  const imported = module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const from = moduleRequest.value;
    if (!/^(node:)?fs(\/promises)?$/.test(from)) return [];
    return entries.flatMap(({ importName, isType }) => {
      const name = importName.name?.replace(/Sync$/, "");
      if (isType) return [];
      if (name === undefined) return [`all of ${from}`];
      return diskChangers.has(name) ? [name] : [];
    });
  });
  const whole = module.dynamicImports
    .map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1))
    .filter((target) => /^(node:)?fs(\/promises)?$/.test(target))
    .map((target) => `all of ${target}`);
  const opens = openedToWrite(tree, module);
  // Parquet's library writes to a path by itself.
  const byLibrary = /\bfileWriter\b/.test(text) ? ["fileWriter"] : [];
  return [...imported, ...whole, ...opens, ...byLibrary];
}

/** Calls of the system's `open` whose flags are anything but "r". */
function openedToWrite(tree: unknown, { staticImports }: ReturnType<typeof parseSync>["module"]): string[] {
  const names = new Set(
    staticImports
      .filter(({ moduleRequest }) => /^(node:)?fs/.test(moduleRequest.value))
      .flatMap(({ entries }) => entries)
      .filter(({ importName }) => /^open(Sync)?$/.test(importName.name ?? ""))
      .map(({ localName }) => localName.value),
  );
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, callee, arguments: given } = node as Call;
    const flags = given?.[1];
    if (
      type === "CallExpression" &&
      names.has(callee?.name ?? "") &&
      flags !== undefined &&
      flags.value !== "r"
    )
      found.push("open to write");
    for (const inner of Object.values(node)) visit(inner);
  };
  if (names.size > 0) visit(tree);
  return found;
}

interface Call {
  type?: string;
  callee?: { name?: string };
  arguments?: { value?: unknown }[];
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
