/** What a module imports, found without running it; what could only be found by running it is refused. */

import { CuelabError } from "../core/errors.ts";

/** By it a module could import what no digest knows. */
const refusedBuiltins = ["module", "node:module", "vm", "node:vm"];

export async function findImports(source: string, path: string): Promise<string[]> {
  const { init, parse } = await import("es-module-lexer");
  await init();
  const found = new Set<string>();
  for (const { type, specifier, importStart, ...more } of parsed()) {
    if (type === "import-meta") continue;
    if (typeof specifier !== "string" || ("glob" in more && more.glob)) throw computed(importStart);
    if (refusedBuiltins.includes(specifier)) throw escaping(specifier, importStart);
    found.add(specifier);
  }
  return [...found];

  function parsed() {
    try {
      return parse(source, path)[0];
    } catch (cause) {
      throw new CuelabError({
        kind: "input",
        what: "the plugin is no JavaScript module",
        where: path,
        got: (cause as Error).message,
        cause,
      });
    }
  }

  function computed(start: number): CuelabError {
    return new CuelabError({
      kind: "input",
      what: "the plugin computes what it imports",
      where: placeOf(source, start, path),
      expected: 'a text, such as import("./other.ts"): the digest covers what is imported',
      todo: "import each file by its name, and choose among them",
    });
  }

  function escaping(specifier: string, start: number): CuelabError {
    return new CuelabError({
      kind: "input",
      what: `the plugin imports ${specifier}, by which it could load code that the digest does not cover`,
      where: placeOf(source, start, path),
      todo: "use import",
    });
  }
}

/** `file:line:column` of a place in a text. */
function placeOf(source: string, start: number, path: string): string {
  const before = source.slice(0, start).split("\n");
  return `${path}:${before.length}:${before.at(-1)!.length + 1}`;
}
