/** A table in aligned columns; in a terminal that is narrower, words go on in the next line. */

import { oneLine } from "../core/shown-text.ts";

/** What is between two columns. */
const gap = "  ";

/** Columns of words get no narrower than their longest word, if that is not longer than this. */
const longWord = 24;

/** Numbers to the right. What goes into a file or a pipe keeps each row in one line. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  room = roomInTerminal(),
): string {
  const clean = rows.map((row) => row.map((cell) => oneLine(cell)));
  const numeric = header.map(
    (_, i) => rows.length > 0 && clean.every((row) => /^[-–+\d.,%]*$/.test(row[i]!)),
  );
  const natural = header.map((name, i) =>
    clean.reduce((most, row) => Math.max(most, row[i]!.length), name.length),
  );
  const least = header.map((name, i) =>
    numeric[i]
      ? natural[i]!
      : Math.min(longWord, Math.max(...[name, ...clean.map((row) => row[i]!)].map(longestWord))),
  );
  const widths = fitted(natural, least, room);
  const lines = (cells: readonly string[]) => {
    const wrapped = cells.map((cell, i) => wrap(cell, widths[i]!));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      wrapped
        .map((parts, i) => {
          const part = parts[at] ?? "";
          return numeric[i] ? part.padStart(widths[i]!) : part.padEnd(widths[i]!);
        })
        .join(gap)
        .trimEnd(),
    );
  };
  const rule = widths.map((width) => "─".repeat(width)).join(gap);
  return [...lines(header), rule, ...clean.flatMap(lines)].join("\n");
}

function roomInTerminal(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
}

function longestWord(text: string): number {
  return Math.max(...text.split(" ").map(({ length }) => length));
}

/** The widest column of words gives way first; numbers stay whole. */
function fitted(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
  while (total() > room) {
    const widest = widths.reduce(
      (best, width, i) => (width > least[i]! && (best < 0 || width > widths[best]!) ? i : best),
      -1,
    );
    if (widest < 0) break;
    widths[widest]!--;
  }
  return widths;
}

/** At spaces, and within words that are too long by themselves. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? lines : [...lines, rest];
}
