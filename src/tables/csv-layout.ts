/** How a delimited text is laid out, judged by its beginning: separator, line end, byte order mark, header. */

import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";

/** What a reader of records must know. */
export interface CsvLayout {
  /** Names of the columns, as the header has them. */
  columns: readonly string[];
  separator: number;
  newline: number;
  /** Bytes before the first record, and its line, from 1. */
  start: number;
  line: number;
}

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];
const separators = [0x2c, 0x3b, 0x09];
const separatorNames = new Map([
  [0x3b, "semicolons"],
  [0x09, "tabs"],
]);
/** Of the beginning, so much is looked at; a header must lie within. */
const headBytes = 1 << 18;
const sampledRecords = 50;

/** Files that are something else begin like this. */
const foreign: readonly { magic: readonly number[]; name: string; todo: string }[] = [
  { magic: [0x50, 0x41, 0x52, 0x31], name: "a Parquet file", todo: "name it …parquet" },
  { magic: [0x50, 0x4b, 3, 4], name: "a zip archive, as Excel's files are", todo: "export the table as CSV" },
  { magic: [0x1f, 0x8b], name: "compressed with gzip", todo: "unpack it first" },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: "compressed with zstd", todo: "unpack it first" },
  { magic: [0xff, 0xfe], name: "text in UTF-16", todo: "save it in UTF-8" },
  { magic: [0xfe, 0xff], name: "text in UTF-16", todo: "save it in UTF-8" },
];

export async function csvLayout(path: string, file: FileHandle): Promise<CsvLayout> {
  const buffer = new Uint8Array(headBytes);
  const { bytesRead } = await file.read(buffer, 0, headBytes, 0);
  return layoutOf(path, buffer.subarray(0, bytesRead), bytesRead < headBytes);
}

/** `whole` says that the file has no more than these bytes. */
function layoutOf(path: string, head: Uint8Array, whole: boolean): CsvLayout {
  refuseForeign(path, head);
  const begin = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  if (head.subarray(begin).every((byte) => byte <= 0x20)) {
    throw new CuelabError({
      kind: "input",
      what: "the table is empty",
      where: path,
      expected: "a header line",
    });
  }
  const newline = head.includes(lineFeed) || !head.includes(carriageReturn) ? lineFeed : carriageReturn;
  const sampled = separators.map((separator) => sample(head, begin, separator, newline, whole));
  const { separator, records } = sampled.toSorted((a, b) => rank(b) - rank(a))[0]!;
  const [header] = records;
  if (header === undefined) {
    throw new CuelabError({
      kind: "input",
      what: "the header does not end",
      where: `${path}, line 1`,
      expected: `names of columns within the first ${headBytes / 1024} kB`,
    });
  }
  if (header.fault !== undefined) {
    throw new CuelabError({
      kind: "input",
      what: "a name of a column cannot be read",
      where: `${path}, line ${header.line}`,
      expected: "names in UTF-8; in quotes where they hold a separator, a quote (twice) or a line end",
      got: header.fault,
    });
  }
  const columns = header.cells.map((cell) => cell.trim());
  refuseTwins(columns, path, header.line);
  return { columns, separator, newline, start: header.end, line: header.nextLine };
}

/** Said where the separator is not the comma that the name promises. */
export function layoutRemarks(path: string, { separator }: CsvLayout): string[] {
  const name = separatorNames.get(separator);
  return name === undefined || (separator === 0x09 && path.endsWith(".tsv"))
    ? []
    : [`${path}: columns are separated by ${name}`];
}

interface SampledRecord {
  cells: string[];
  /** What is wrong with one of them. */
  fault: string | undefined;
  /** Where the next one begins. */
  end: number;
  line: number;
  nextLine: number;
}

interface CsvSample {
  separator: number;
  records: SampledRecord[];
}

/** Most of all that all records have as many cells as the header; then how many those are; then the comma first. */
function rank({ separator, records }: CsvSample): number {
  const cells = records[0]?.cells.length ?? 0;
  const even = cells > 1 && records.every((record) => record.cells.length === cells);
  return (even ? 1e9 : 0) + cells * 10 - separators.indexOf(separator);
}

function sample(
  head: Uint8Array,
  begin: number,
  separator: number,
  newline: number,
  whole: boolean,
): CsvSample {
  const records: SampledRecord[] = [];
  let [at, line] = [begin, 1];
  while (records.length < sampledRecords && at < head.length) {
    const record = recordAt(head, at, separator, newline, line, whole);
    if (record === undefined) break;
    if (record.cells.length > 1 || record.cells[0]!.trim() !== "") records.push(record);
    [at, line] = [record.end, record.nextLine];
  }
  return { separator, records };
}

/** Without checks: the parser makes them. Undefined where the record goes on beyond the sample. */
function recordAt(
  head: Uint8Array,
  begin: number,
  separator: number,
  newline: number,
  line: number,
  whole: boolean,
): SampledRecord | undefined {
  const cells: string[] = [];
  let [first, at, inside, lines] = [begin, begin, false, 0];
  let fault: string | undefined;
  const text = () => {
    const [cell, found] = cellOf(head.subarray(first, at));
    fault ??= found;
    return cell;
  };
  for (; at < head.length; at++) {
    const byte = head[at]!;
    if (byte === quote) inside = !inside;
    else if (byte === newline && inside) lines++;
    else if (!inside && (byte === separator || byte === newline)) {
      cells.push(text());
      first = at + 1;
      if (byte === newline) return { cells, fault, end: at + 1, line, nextLine: line + lines + 1 };
    }
  }
  if (!whole) return undefined;
  cells.push(text());
  return { cells, fault, end: at, line, nextLine: line + lines + 1 };
}

/** The text of a cell, and what is wrong with it. */
function cellOf(bytes: Uint8Array): [text: string, fault: string | undefined] {
  const text = Buffer.from(bytes).toString("utf8").trim();
  if (text.includes("\ufffd") && !isUtf8(bytes))
    return [text, `bytes that are no UTF-8, in ${JSON.stringify(text)}`];
  // A quote that is not closed would take all lines behind it for a name.
  const isQuoted = !text.includes('"') || /^"(?:[^"]|"")*"$/.test(text);
  return [unquoted(text), isQuoted ? undefined : `a quote within ${JSON.stringify(text.slice(0, 60))}`];
}

function unquoted(cell: string): string {
  return cell.length > 1 && cell.startsWith('"') && cell.endsWith('"')
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell;
}

function refuseForeign(path: string, head: Uint8Array): void {
  const kind = foreign.find(({ magic }) => magic.every((byte, i) => head[i] === byte));
  const binary = kind === undefined && head.subarray(0, 1024).includes(0);
  if (kind === undefined && !binary) return;
  throw new CuelabError({
    kind: "input",
    what: "the table is no CSV file",
    where: path,
    expected: "text in UTF-8 with a header line",
    got: kind?.name ?? "NUL bytes, as in a binary file or UTF-16",
    todo: kind?.todo ?? "save it as CSV in UTF-8",
  });
}

/** Of two columns with one name, one would be lost. */
function refuseTwins(names: readonly string[], path: string, line: number): void {
  const twin = names.find((name, i) => name !== "" && names.indexOf(name) < i);
  if (twin === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `the table has two columns "${twin}"`,
    where: `${path}, line ${line}`,
    expected: "a name of its own for every column",
    got: `columns ${names.join(", ")}`,
    todo: "rename one of them",
  });
}
