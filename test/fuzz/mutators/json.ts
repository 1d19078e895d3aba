/** Changed JSON trees: wrong types, missing and repeated parts, deep nesting, huge numbers, names that mean something to JavaScript. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

type Tree = unknown;

/** Written as they are: no tree that JavaScript holds spells these. */
const raw = [
  "1e999",
  "-1e999",
  "1e-400",
  "12345678901234567890",
  "NaN",
  "Infinity",
  "-0",
  "01",
  "'a'",
  "tru",
];

const oddValues: readonly Tree[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 31),
  "",
  " ",
  "0",
  "x",
  "__proto__",
  "../x",
  "\u0000",
  "\ud800",
  "a".repeat(5000),
  [],
  {},
  [null],
  [[]],
  { constructor: 1 },
];

/** Undefined where it is no JSON, or nested too deeply for the parser. */
function parsed(text: string): Tree {
  try {
    return JSON.parse(text) as Tree;
  } catch {
    return undefined;
  }
}

const mark = "\u0001raw";

/** The text with one or two changes somewhere in the tree. */
export function mutateJson(text: string, chance: Chance): string {
  let tree = text.includes("[".repeat(1000)) ? undefined : parsed(text);
  if (tree === undefined) return text;
  for (let times = 1 + chance.below(2); times > 0; times--) tree = changed(tree, chance);
  let written = JSON.stringify(tree) ?? "null";
  written = written.replaceAll(`"${JSON.stringify(mark).slice(1, -1)}"`, () => chance.pick(raw));
  if (chance.happens(0.05)) written = written.replace(/"[^"\\]*":/, '"__proto__":');
  if (chance.happens(0.03)) written = `${"[".repeat(20_000)}${written}${"]".repeat(20_000)}`;
  return written;
}

export const jsonFile: Mutator = (bytes, chance) => Buffer.from(mutateJson(bytes.toString("utf8"), chance));

/** Of files with one value a line. */
export const jsonLines: Mutator = (bytes, chance) => {
  const lines = bytes.toString("utf8").split("\n");
  const at = chance.below(lines.length);
  lines[at] = mutateJson(lines[at]!, chance);
  if (chance.happens(0.2))
    lines.splice(chance.below(lines.length), 0, chance.pick(["", "{}", "[]", "null", lines[0]!]));
  return Buffer.from(lines.join("\n"));
};

/** One node, anywhere, is another. */
function changed(tree: Tree, chance: Chance): Tree {
  if (typeof tree !== "object" || tree === null || chance.happens(0.08)) return replaced(tree, chance);
  const isList = Array.isArray(tree);
  const entries: [string, Tree][] = Object.entries(tree);
  if (entries.length === 0) return replaced(tree, chance);
  const at = chance.below(entries.length);
  const [name, value] = entries[at]!;
  const kind = chance.below(12);
  if (kind === 0) entries.splice(at, 1);
  else if (kind === 1) entries.splice(at, 0, [`${name}2`, value]);
  else if (kind === 2)
    entries[at] = [chance.pick(["__proto__", "constructor", "toString", "", "length"]), value];
  else if (kind === 3) entries[at] = [name, chance.pick(entries)[1]];
  else entries[at] = [name, changed(value, chance)];
  if (isList) return entries.map(([, item]) => item);
  const made: Record<string, Tree> = Object.create(null) as Record<string, Tree>;
  for (const [key, item] of entries) made[key] = item;
  return made;
}

function replaced(value: Tree, chance: Chance): Tree {
  const kind = chance.below(8);
  if (kind === 0) return mark;
  if (kind === 1) return nested(value, chance);
  if (kind === 2 && typeof value === "number") return value + chance.pick([1, -1, 0.5, 1e6, -1e6]);
  if (kind === 3) return typeof value === "string" ? Number(value) : (JSON.stringify(value) ?? "");
  if (kind === 4) return Array.from({ length: chance.pick([2, 10, 1000]) }, () => value);
  return chance.pick(oddValues);
}

function nested(value: Tree, chance: Chance): Tree {
  let tree = value;
  const list = chance.happens(0.5);
  for (let depth = chance.pick([1, 3, 500]); depth > 0; depth--) tree = list ? [tree] : { a: tree };
  return tree;
}
