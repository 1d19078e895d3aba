/** The stored record, a file a section: who made it and where, and what was found. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { differences, judge } from "./compare.mjs";
import { machineOf } from "./processor.mjs";
import { sections } from "./sections/index.mjs";

const folder = join(import.meta.dirname, "record");
const pathOf = (name) => join(folder, `${name}.json`);

async function collect(name, checkout, options = {}) {
  const place = mkdtempSync(join(tmpdir(), "cuelab-golden-"));
  try {
    const collected = await sections[name]({ checkout, folder: place, ...options });
    // As a file would give it back: no undefined, and nothing of the folder that was used.
    return JSON.parse(JSON.stringify(collected).replaceAll(place, "(folder)"));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

export async function recordSection(name, checkout, commit) {
  const { portable, bits } = await collect(name, checkout);
  const text = `${written({ commit, machine: machineOf(checkout), portable, bits })}\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(pathOf(name), text);
  return text.length;
}

/** `short`: what is quick; the record may then hold more than is found. */
export async function checkSection(name, checkout, { short = false } = {}) {
  const start = performance.now();
  const stored = JSON.parse(readFileSync(pathOf(name), "utf8"));
  const intended = JSON.parse(readFileSync(join(import.meta.dirname, "intended.json"), "utf8"));
  const found = await collect(name, checkout, { short });
  const skipped = otherMachine(stored.machine, machineOf(checkout));
  const parts = skipped === undefined ? ["portable", "bits"] : ["portable"];
  const differ = parts.flatMap((part) =>
    differences(sharedPart(stored[part], found[part], short), found[part], [name]),
  );
  const compared = parts.reduce((sum, part) => sum + leaves(found[part]), 0);
  return { ...judge(differ, intended), skipped, compared, seconds: (performance.now() - start) / 1000 };
}

/** Cases that were left away because they take long are no differences. */
function sharedPart(stored, found, short) {
  return short ? Object.fromEntries(Object.entries(stored).filter(([name]) => name in found)) : stored;
}

function otherMachine(stored, here) {
  const other = Object.keys(stored).filter((name) => stored[name] !== here[name]);
  if (other.length === 0) return undefined;
  return other.map((name) => `recorded with ${name} ${stored[name]}, here ${here[name]}`).join("; ");
}

function leaves(value) {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum, part) => sum + leaves(part), 0);
}

/** JSON of which small things take one line, so that a change is one too. */
function written(value, indent = "") {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || flat.length + indent.length <= 120) return flat;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((part) => written(part, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${written(part, inner)}`);
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
