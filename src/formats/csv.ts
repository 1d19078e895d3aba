/** Tables as CSV: written with the quoting that RFC 4180 asks for, read as a stream with errors that name the line. */

import { createReadStream } from "node:fs";
import { type CsvError, parse } from "csv-parse";
import { CuelabError } from "../core/errors.ts";

export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value)).join(",")}\n`;
}

/** Rows after the header, each as an array of texts; `columns` is called once with the header. */
export async function* readCsv(path: string, columns: (names: string[]) => void): AsyncGenerator<string[]> {
  const file = createReadStream(path);
  const parser = file.pipe(parse({ bom: true, skip_empty_lines: true, trim: true }));
  // `pipe` does not hand on the errors of its source, such as a missing file.
  file.on("error", (cause) => parser.destroy(cause));
  let header: string[] | undefined;
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (header === undefined) {
        header = row;
        refuseTwins(row, path);
        columns(row);
      } else yield row;
    }
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    const { code, lines, message } = cause as CsvError & { lines?: number };
    throw new CuelabError({
      kind: "input",
      what: "the table cannot be read",
      where: lines === undefined ? path : `${path}, line ${lines}`,
      ...(code === "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH"
        ? // The parser reads ahead: it may fail before the header has come through.
          { expected: `${/expect (\d+)/.exec(message)?.[1] ?? "as many"} values, as in the header` }
        : {}),
      got: message,
      cause,
    });
  } finally {
    file.destroy();
  }
  if (header === undefined) {
    throw new CuelabError({
      kind: "input",
      what: "the table is empty",
      where: path,
      expected: "a header line",
    });
  }
}

/** Of two columns with one name, one would be lost. */
function refuseTwins(names: readonly string[], path: string): void {
  const twin = names.find((name, i) => name !== "" && names.indexOf(name) < i);
  if (twin === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `the table has two columns "${twin}"`,
    where: `${path}, line 1`,
    expected: "a name of its own for every column",
    got: `columns ${names.join(", ")}`,
    todo: "rename one of them",
  });
}
