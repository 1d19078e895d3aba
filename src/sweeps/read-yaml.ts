/**
 * YAML as plain data, within what it may cost: the library compares every key of a map with all others, and looks for what an alias
 * means from the beginning each time, so that a hundred kilobytes took minutes.
 */

import type { Document, YAMLMap } from "yaml";
import { CuelabError } from "../core/errors.ts";
import { guardedNow } from "../disk/guarded.ts";

/** Far more than ten thousand runs, each written out, take. */
const mostCharacters = 4 * 2 ** 20;
const mostAliases = 500;

/** `what` says what cannot be read, as in `the sweep`. */
export async function readYaml(text: string, where: string, what: string): Promise<unknown> {
  const refused = (got: string, expected = "a file as `cuelab sweep run --help` shows it") =>
    new CuelabError({ kind: "input", what: `${what} is no YAML`, where, expected, got });
  if (text.length > mostCharacters)
    throw refused(
      `${text.length.toLocaleString("en")} characters`,
      `at most ${mostCharacters.toLocaleString("en")}`,
    );
  const { isScalar, parseDocument, visit } = await import("yaml");
  const document: Document = guardedNow(where, () =>
    parseDocument(text, { prettyErrors: true, uniqueKeys: false }),
  );
  const [problem] = document.errors;
  if (problem) throw refused(problem.message);
  let aliases = 0;
  const checkKeys = ({ items }: YAMLMap) => {
    const seen = new Set<unknown>();
    for (const { key } of items) {
      if (!isScalar(key)) throw refused("a key that is a list, a map or an alias", "texts as keys");
      // As in the data that come of it, where all keys are texts.
      const name = String(key.value);
      if (seen.has(name))
        throw refused(`the key "${name}" twice in one map, at line ${lineOf(text, key.range?.[0])}`);
      seen.add(name);
    }
  };
  guardedNow(where, () =>
    visit(document, {
      Map: (_, map) => checkKeys(map),
      Alias: () => {
        if (++aliases > mostAliases) throw refused(`more than ${mostAliases} aliases`, "each written out");
      },
    }),
  );
  return guardedNow(where, () => document.toJS() as unknown, `${what} cannot be read`);
}

function lineOf(text: string, at = 0): number {
  return text.slice(0, at).split("\n").length;
}
