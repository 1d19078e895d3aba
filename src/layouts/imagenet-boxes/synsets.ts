/** ImageNet's list of classes: an id and its words a line, as in LOC_synset_mapping.txt and synset_words.txt. */

import { CuelabError } from "../../core/errors.ts";
import { readPlainText } from "../../disk/plain-file.ts";
import { reasonOf } from "../../sources/image-folder.ts";

/** Id → the first of its words: n01440764 → tench. */
export async function readSynsets(path: string): Promise<Map<string, string>> {
  const text = await readPlainText(path).catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "the list of classes cannot be read",
      where: path,
      expected: 'a text file with lines such as "n01440764 tench, Tinca tinca"',
      got: reasonOf(cause),
      cause,
    });
  });
  const titles = new Map<string, string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [, id, words] = /^(n\d{8})[\s,]+(\S.*)$/.exec(line) ?? [];
    if (id === undefined || words === undefined) {
      throw new CuelabError({
        kind: "input",
        what: "a line of the list of classes cannot be read",
        where: `${path}, line ${i + 1}`,
        expected: 'an id and its words: "n01440764 tench, Tinca tinca"',
        got: line,
      });
    }
    titles.set(id, words.split(",")[0]!.trim());
  }
  return titles;
}
