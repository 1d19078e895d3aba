/** The law of imports, as data, and what the sources import: for `architecture.test.ts` and for the picture in docs. */

import { readdirSync, readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { parseSync } from "oxc-parser";

export const source = resolve(import.meta.dirname, "../src");

/**
 * Folders of src from the ground up, with what each is. A folder imports from layers below its own alone, types included;
 * files at the top of src (the library and the door for plugins) stand above all.
 */
export const layers = [
  { core: "types, errors, registries, settings, random numbers, statistics, groups, sections" },
  {
    disk: "whole files and folders, locks, disk errors",
    engine: "tensor expressions → gradients → ONNX → runtime",
    metrics: "predictions → numbers",
    published: "the papers' own numbers",
  },
  { images: "pixels → pixels, and recipes of inputs", tables: "CSV, Parquet, JSON, npz → columns" },
  {
    charts: "numbers → vega-lite → SVG, PNG",
    views: "one change of training images a file",
    models: "one network a file",
  },
  {
    sources: "where pixels come from",
    methods: "one mitigation method a file",
    saliency: "one way to see where a network looks a file",
  },
  { layouts: "how other people's data lies on disk" },
  { datasets: "one dataset a file: settings → Dataset" },
  { plugins: "code from outside: read, digested, run" },
  {
    formats: "our own storage of a Dataset",
    predictions: "tables of predictions and accuracies",
  },
  { runs: "runs and features on disk" },
  { training: "one run: batches, stages, evaluation, process" },
  {
    sweeps: "many runs: search, selection, seeds",
    pools: "many cheap classifiers of one dataset",
  },
  { audits: "questions with one answer each" },
  {
    theory: "the simulator and closed forms of the line",
    studies: "the papers' experiments, registered",
  },
  { reports: "sections → text, pages, Markdown, LaTeX, CSV, JSON" },
  { contracts: "what every entry must keep, as functions" },
  { cli: "parsing and printing, no logic" },
];

/** Imports that the layers do not allow, each with its reason; one that nobody needs any more is an error. */
export const exceptions = {
  "plugins/library.ts → index.ts": "what a plugin imports of the library is the running program's own",
  "plugins/library-plugin.ts → plugin.ts": "likewise, of the small door",
  "plugins/use.ts → plugin.ts": "the type of what a plugin is",
};

/** Files that import each other while they load, each with its reason. */
export const loops = {
  "engine/ops/": "gradients of operations are made of operations; none is called while modules load",
};

/** Every import of every source file but tests: { file, target, type, lazy }, paths relative to src. */
export function importsOf(root = source) {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()
    .flatMap((file) =>
      targetsOf(file, readFileSync(`${root}/${file}`, "utf8")).map((found) => ({ file, ...found })),
    );
}

export function targetsOf(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const place = (target) =>
    target.startsWith(".") ? posix.normalize(posix.join(posix.dirname(file), target)) : target;
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      target: place(moduleRequest.value),
      type: entries.length > 0 && entries.every(({ isType }) => isType),
      lazy: false,
    })),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .filter(({ moduleRequest }) => moduleRequest)
      .map(({ moduleRequest, isType }) => ({
        target: place(moduleRequest.value),
        type: isType,
        lazy: false,
      })),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      target: place(text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
      type: false,
      lazy: true,
    })),
  ];
}

/** `formats/card/x.ts` → `formats`; files at the top belong to no folder. */
export function folderOf(path) {
  return path.includes("/") ? path.split("/")[0] : "";
}

/** Level of each folder. */
export const levels = new Map(
  layers.flatMap((layer, level) => Object.keys(layer).map((name) => [name, level])),
);

/** Groups of nodes that reach each other, by Tarjan's way. `edges` are pairs. */
export function knots(edges) {
  const next = new Map();
  for (const [from, to] of edges) {
    if (from === to) continue;
    next.set(from, [...(next.get(from) ?? []), to]);
    if (!next.has(to)) next.set(to, []);
  }
  const [index, low, stack, found] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const to of next.get(node)) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)));
    }
    if (low.get(node) !== index.get(node)) return;
    const knot = stack.splice(stack.indexOf(node));
    if (knot.length > 1) found.push(knot.sort((a, b) => (a < b ? -1 : 1)));
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return found;
}
