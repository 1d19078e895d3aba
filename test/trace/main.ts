/** `npm run trace`: every command, and the library, under strace, with an empty home and temporary folder; a table of what they did. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { tracedCommands } from "./commands.ts";
import { type Traced, traced, workplace } from "./trace.ts";

const checkout = resolve(import.meta.dirname, "../../..");
const program = join(checkout, "dist/program/main.js");
const library = join(checkout, "test/helpers/library-use.mjs");

const root = mkdtempSync(join(tmpdir(), "cuelab-trace-"));
const place = workplace(root);
const failures: string[] = [];

const row = (name: string, { code, network, outside, left, seen }: Traced) =>
  process.stdout.write(
    `| ${name} | ${code} | ${seen} | ${network.length} | ${outside.length} | ${left.length} |\n`,
  );

process.stdout.write(
  "| command | exit code | calls seen | connections | paths outside | files left in the home and temporary folder |\n|---|---|---|---|---|---|\n",
);
try {
  for (const one of tracedCommands) {
    const words = `${one.command} ${one.words}`;
    look(
      one.with === undefined ? one.command : `${one.command}, ${one.with}`,
      await traced({ ...one, words }, program, place, "strace"),
      one.exitCode ?? (one.endAfterSeconds ? 130 : 0),
    );
  }
  look("the library", await traced({ words: "library-features" }, library, place, "strace"), 0);
} finally {
  rmSync(root, { recursive: true, force: true });
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;

function look(name: string, result: Traced, expected: number): void {
  row(name, result);
  const found = [...result.network, ...result.outside, ...result.left];
  if (found.length > 0) failures.push(`${name}: ${found.slice(0, 10).join("\n  ")}`);
  if (result.code !== expected)
    failures.push(`${name}: exit code ${result.code}: ${result.stderr.slice(-500)}`);
  if (result.seen === 0) failures.push(`${name}: nothing was traced`);
}
