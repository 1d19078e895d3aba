/** The import law of the design, kept by reading every import of every source file. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { drawArchitecture, picture } from "../docs/draw-architecture.mjs";
import program from "../rolldown.config.ts";
import {
  exceptions,
  folderOf,
  type Import,
  importsOf,
  knots,
  layers,
  levels,
  loops,
  source,
  targetsOf,
} from "./law.mjs";

/** Packages, and files of ours, that only some places may touch: paths start with one of these. */
const guarded: Record<string, readonly string[]> = {
  "onnxruntime-common": ["engine/runtime.ts", "engine/native-runtime.ts"],
  "engine/native-runtime.ts": ["engine/runtime.ts"],
  "engine/runtime.ts": [
    "engine/executable.ts",
    "engine/onnx-graph.ts",
    "engine/onnx-model.ts",
    "engine/blocked",
    "engine/uncopied",
    "contracts/",
  ],
  commander: ["cli/"],
};

const ours = ({ target }: Import) => target.endsWith(".ts");

test("every import, of types too, leads to a lower layer", () => {
  const broken = new Set<string>();
  for (const { file, target } of importsOf().filter(ours)) {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from === "" || from === to) continue;
    if (to !== "" && levels.get(to)! < levels.get(from)!) continue;
    broken.add(`${file} → ${target}`);
  }
  expect([...broken].sort()).toEqual(Object.keys(exceptions).sort());
});

test("folders within a folder do not import each other in a circle, types included", () => {
  const within = importsOf()
    .filter(ours)
    .filter(({ file, target }) => folderOf(file) === folderOf(target))
    .map(({ file, target }) => [dirname(file), dirname(target)] as const)
    // A folder's own files, such as its registry, import those in it, and these what they share.
    .filter(([from, to]) => !from.startsWith(`${to}/`) && !to.startsWith(`${from}/`));
  expect(within.length).toBeGreaterThan(100);
  expect(knots(within)).toEqual([]);
});

test("no files import each other in a circle while they load, but those that may", () => {
  const loading = importsOf().filter((each) => ours(each) && !each.type && !each.lazy);
  const found = knots(loading.map(({ file, target }) => [file, target]));
  const unstated = found.filter(
    (knot) => !Object.keys(loops).some((place) => knot.every((file) => file.startsWith(place))),
  );
  expect(unstated).toEqual([]);
  expect(found).toHaveLength(Object.keys(loops).length);
});

test("the picture in docs is drawn from the imports as they are", () => {
  expect(readFileSync(picture, "utf8"), "npm run architecture draws it again").toBe(drawArchitecture());
});

test.each(["docs/architecture.md", "CONTRIBUTING.md"])("files that %s names are there", (page) => {
  const text = readFileSync(join(import.meta.dirname, "..", page), "utf8");
  const named = [...text.matchAll(/`(?:src\/)?((?:[a-z-]+\/)+[\w-]+\.(?:ts|mjs))`/g)].map(
    ([, path]) => path!,
  );
  const root = join(import.meta.dirname, "..");
  expect(named.filter((path) => !existsSync(join(source, path)) && !existsSync(join(root, path)))).toEqual(
    [],
  );
  expect(named.length).toBeGreaterThan(5);
});

test("no two types have one name, exported or not", () => {
  const places = new Map<string, string[]>();
  for (const { file, text } of sources())
    for (const [, name] of text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
      places.set(name!, [...(places.get(name!) ?? []), file]);
  expect([...places].filter(([, files]) => new Set(files).size > 1)).toEqual([]);
  expect(places.size).toBeGreaterThan(500);
});

test("paths that pages, comments and scripts name from the root are there", () => {
  const root = join(import.meta.dirname, "..");
  const listed = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const texts = ["README.md", ...["docs", "src", "test", "bench"].flatMap(listed)].filter((path) =>
    /\.(md|ts|mts|mjs|py)$/.test(path),
  );
  const missing = texts.flatMap((path) =>
    [
      ...readFileSync(join(root, path), "utf8").matchAll(
        /(?<![\w./-])(?:src(?:\/[\w-]+)+(?:(?:\.\w+)+\b)?|(?:test|bench|docs)(?:\/[\w-]+)+(?:\.\w+)*\.(?:ts|mjs|py|md)\b)/g,
      ),
    ]
      .map(([named]) => named)
      .filter((named) => !existsSync(join(root, named)))
      .map((named) => `${path} names ${named}`),
  );
  expect(texts.length).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

test("what each folder is stands in CONTRIBUTING.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../CONTRIBUTING.md"), "utf8");
  for (const name of levels.keys()) expect(text).toMatch(new RegExp(`^src/${name}/ `, "m"));
});

/** Parts by which data are opened, networks trained and predictions measured: commands ask those who put them together. */
const workshops = [
  /^engine\//,
  /^training\/(stages\/|train\.ts|train-features|data-book|batch-|make-batch|evaluat|checkpoint|predict\.ts)/,
  /^training\/(run-pool|training-data)\.ts/,
  /^formats\/(open-dataset|follow-recipe|process-)/,
  /^(metrics|predictions|tables|layouts|sources)\//,
  /^audits\/.*(measure|evaluate-predictions|audit-line|embed)\.ts/,
  /^sweeps\/drive-sweep/,
  /^pools\/(train-chunk|batched)/,
];

/** What commands need of them all the same: names for choices, types, one number, and which options go together. */
const tools = new Set([
  "audits/embedding/embed.ts (type)",
  "layouts/column-mapping.ts (type)",
  "layouts/domain-folders.ts",
  "layouts/preparation.ts",
  "pools/batched-classifiers.ts",
  "pools/train-chunk.ts",
  "predictions/accuracies/write-accuracies.ts",
  "training/data-book.ts (type)",
  "training/run-pool.ts (type)",
]);

test("no command opens, trains or measures by itself", () => {
  const used = importsOf()
    .filter(({ file, target }) => file.startsWith("cli/") && workshops.some((place) => place.test(target)))
    .map(({ target, type }) => `${target}${type ? " (type)" : ""}`);
  expect([...new Set(used)].filter((use) => !tools.has(use)).sort()).toEqual([]);
  expect([...tools].filter((use) => !used.includes(use))).toEqual([]);
});

test("what is guarded is imported where it may be", () => {
  const broken = importsOf()
    .filter(({ file, target }) => guarded[target]?.some((allowed) => file.startsWith(allowed)) === false)
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(broken).toEqual([]);
});

test("every folder of src is in the law", () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...levels.keys()].sort());
  expect(layers[0]).toHaveProperty("core");
});

test("the law would notice a breach", () => {
  const text =
    'import { x } from "../cli/run.ts"; import type { y } from "./y.ts"; await import("../engine/z.ts");';
  expect(targetsOf("core/a.ts", text)).toEqual([
    { target: "cli/run.ts", type: false, lazy: false },
    { target: "core/y.ts", type: true, lazy: false },
    { target: "engine/z.ts", type: false, lazy: true },
  ]);
  expect(
    knots([
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
      ["c", "d"],
    ]),
  ).toEqual([["a", "b", "c"]]);
});

function sources(): { file: string; text: string }[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(join(source, file), "utf8") }));
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
  expect(broken, "use disk/, or name a format's writer in streamingWriters, with the reason").toEqual([]);
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

/** Folders whose files read what people bring, runs and pools of others among it. */
const readers =
  /^(tables|layouts|sources|datasets|predictions|formats|runs|pools|sweeps|training|audits|studies|disk\/vouched)/;

/** Who else opens files, and why. */
const openers: Record<string, string> = {
  "disk/vouched.ts": "looks first, and reads piece by piece",
  "formats/write-dataset.ts": "digests of what it has just written itself",
};

test("people's files are opened by disk/plain-file.ts, which waits for no pipe", () => {
  const found = sources().filter(({ file, text }) => {
    const { module } = parseSync(file, text);
    return module.staticImports
      .filter(({ moduleRequest }) => /^(node:)?fs(\/promises)?$/.test(moduleRequest.value))
      .flatMap(({ entries }) => entries)
      .some(
        ({ importName, isType }) =>
          !isType && /^(open|readFile|createReadStream)(Sync)?$/.test(importName.name ?? ""),
      );
  });
  expect(found.map(({ file }) => file)).toContain("disk/plain-file.ts");
  expect(found.map(({ file }) => file).filter((file) => readers.test(file))).toEqual(Object.keys(openers));
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

test("expressions, networks and methods never reach the runtime, not even through others", () => {
  const all = importsOf().filter(ours);
  const reached = new Set(["engine/expressions.ts", "models/index.ts", "methods/index.ts"]);
  for (const file of reached) {
    for (const { target } of all.filter((entry) => entry.file === file)) reached.add(target);
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
  expect(started).toContain(join("dist/src", "training/train-process.js"));
  expect(Object.values(program.input as Record<string, string>)).toEqual(expect.arrayContaining(started));
});
