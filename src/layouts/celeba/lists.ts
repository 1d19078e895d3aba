/** CelebA's two lists, as published (runs of blanks, a first line with the number of images) or as on Kaggle (CSV). */

import { CuelabError } from "../../core/errors.ts";
import { type CelebaRow, forEachRow } from "./rows.ts";

export interface AttributeList {
  /** File names of images, in the list's order. */
  images: string[];
  names: readonly string[];
  /** 1 for yes and 0 for no: [image, attribute]. */
  values: Uint8Array;
  /** The line of the list on which an image stands. */
  lines: Uint32Array;
}

export interface PartitionList {
  images: string[];
  /** 0 train, 1 validation, 2 test. */
  splits: Uint8Array;
  lines: Uint32Array;
}

const [minus, one, zero] = [0x2d, 0x31, 0x30];

export function readAttributeList(path: string, bytes: Uint8Array): AttributeList {
  const images: string[] = [];
  const lines: number[] = [];
  // A value takes two bytes of the file at least.
  const values = new Uint8Array(bytes.length >> 1);
  let filled = 0;
  let declared: { count: number; line: number } | undefined;
  let names: string[] | undefined;
  forEachRow(bytes, (row) => {
    if (!isCsv(path) && declared === undefined) declared = readCount(path, row);
    else if (names === undefined) names = readNames(path, row);
    else {
      checkFields(
        path,
        row,
        names.length + 1,
        `a file name and ${names.length} values, as many as names above`,
      );
      images.push(row.text(0));
      lines.push(row.line);
      for (let i = 1; i < row.count; i++) {
        if (row.is(i, one)) values[filled++] = 1;
        else if (row.is(i, minus, one)) values[filled++] = 0;
        else throw wrongValue(path, row, i, names[i - 1]!, "1 for yes or -1 for no");
      }
    }
  });
  if (names === undefined) throw cutOff(path, "the names of the attributes");
  if (declared !== undefined && declared.count !== images.length) {
    throw new CuelabError({
      kind: "input",
      what: "the list has another number of images than its first line says",
      where: `${path}, line ${declared.line}`,
      expected: `${declared.count} images`,
      got: `${images.length} images`,
      todo: "the file may be cut off: unpack or download it again; after leaving rows out, change the first line too",
    });
  }
  return finish(path, { images, names, values: values.slice(0, filled), lines: Uint32Array.from(lines) });
}

export function readPartitionList(path: string, bytes: Uint8Array): PartitionList {
  const images: string[] = [];
  const [splits, lines]: [number[], number[]] = [[], []];
  let headed = !isCsv(path);
  forEachRow(bytes, (row) => {
    checkFields(path, row, 2, "a file name and a split");
    if (!headed) {
      headed = true;
      return;
    }
    const split = [zero, one, 0x32].findIndex((digit) => row.is(1, digit));
    if (split < 0) throw wrongValue(path, row, 1, "the split", "0 (train), 1 (validation) or 2 (test)");
    images.push(row.text(0));
    splits.push(split);
    lines.push(row.line);
  });
  return finish(path, { images, splits: Uint8Array.from(splits), lines: Uint32Array.from(lines) });
}

function isCsv(path: string): boolean {
  return path.endsWith(".csv");
}

function readCount(path: string, row: CelebaRow): { count: number; line: number } {
  const text = row.text(0);
  if (row.count === 1 && /^\d+$/.test(text)) return { count: Number(text), line: row.line };
  throw new CuelabError({
    kind: "input",
    what: "the list does not begin with the number of images",
    where: `${path}, line ${row.line}`,
    expected: "a whole number alone, as in the published file (202599)",
    got: shortened(row.texts().join(" ")),
  });
}

/** In CSV the first column is the file name's. */
function readNames(path: string, row: CelebaRow): string[] {
  const names = isCsv(path) ? row.texts().slice(1) : row.texts();
  const twin = names.find((name, i) => names.indexOf(name) < i);
  if (twin === undefined && names.length > 0) return names;
  throw new CuelabError({
    kind: "input",
    what: twin === undefined ? "the list names no attributes" : `the list has two attributes "${twin}"`,
    where: `${path}, line ${row.line}`,
    expected: "the names of the attributes, each once",
    got: shortened(row.texts().join(" ")),
  });
}

function checkFields(path: string, row: CelebaRow, count: number, expected: string): void {
  if (row.count === count) return;
  throw new CuelabError({
    kind: "input",
    what: "a row has the wrong number of columns",
    where: `${path}, line ${row.line}`,
    expected: `${count} columns: ${expected}`,
    got: `${row.count}: ${shortened(row.texts().join(" "))}`,
    todo: "the file may be cut off or edited: unpack or download it again",
  });
}

function wrongValue(
  path: string,
  row: CelebaRow,
  field: number,
  name: string,
  expected: string,
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${name} of ${row.text(0)} has a value that does not exist`,
    where: `${path}, line ${row.line}`,
    expected,
    got: JSON.stringify(row.text(field)),
  });
}

/** Throws where there are no images, or an image stands twice. */
function finish<List extends { images: string[]; lines: Uint32Array }>(path: string, list: List): List {
  if (list.images.length === 0) throw cutOff(path, "at least one image");
  const seen = new Map<string, number>();
  for (const [i, image] of list.images.entries()) {
    const before = seen.get(image);
    if (before !== undefined) {
      throw new CuelabError({
        kind: "input",
        what: `${image} stands twice in the list`,
        where: `${path}, lines ${list.lines[before]} and ${list.lines[i]}`,
      });
    }
    seen.set(image, i);
  }
  return list;
}

function cutOff(path: string, expected: string): CuelabError {
  return new CuelabError({ kind: "input", what: "the list is empty or cut off", where: path, expected });
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
