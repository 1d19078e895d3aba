/** Text within Markdown: shown as it is, whatever it holds, in cells of tables too. */

import { oneLine } from "./shown-text.ts";

/** What would begin a tag, a link, code, a formula or an entity, mark text, or end a cell; all of it in one line. */
export function escapeMarkdown(text: string): string {
  return oneLine(joined(text))
    .replaceAll(/[\\|<>*`[\]$~]|&(?=#?\w+;)/g, "\\$&")
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/^(\d*)([#+=.)-])(?!\d)/, "$1\\$2");
}

/** Fenced by one backtick more than the text has in a row. */
export function codeSpan(text: string): string {
  const plain = oneLine(joined(text)).replaceAll("|", "\\|");
  const most = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(most + 1);
  const space = most > 0 ? " " : "";
  return `${fence}${space}${plain}${space}${fence}`;
}

function joined(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, " ");
}
