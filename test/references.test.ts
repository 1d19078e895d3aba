/** Stored references say what made them: a script that is here, with the versions that `npm run referee` installs today. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "references");
const textOf = (name: string) => readFileSync(resolve(folder, name), "utf8");
const namesIn = (ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending));

const pinned = new Map(
  textOf("constraints.txt")
    .split("\n")
    .flatMap((line) => (/^[a-z]/.test(line) ? [line.split("==") as [string, string]] : [])),
);

test.each(namesIn(".json"))("%s was made by a script of ours in today's versions", (name) => {
  const { madeBy, versions } = JSON.parse(textOf(name)) as {
    madeBy: string;
    versions: Record<string, string>;
  };
  expect(existsSync(resolve(import.meta.dirname, "..", madeBy)), madeBy).toBe(true);
  const { python, ...packages } = versions;
  expect(python).toMatch(/^3\.11\./);
  for (const [library, version] of Object.entries(packages))
    expect([library, version]).toEqual([library, pinned.get(library)]);
});

test("every library of the referee is pinned", () => {
  const wanted = textOf("requirements.txt")
    .split("\n")
    .filter((line) => /^[a-z]/.test(line));
  expect(wanted.filter((library) => !pinned.has(library))).toEqual([]);
  expect(wanted).toContain("torch");
});
