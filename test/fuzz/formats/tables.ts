/** Tables: of predictions, of accuracies, in every kind of file that is read as one. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAccuracies } from "../../../src/predictions/accuracies/open-accuracies.ts";
import { openPredictions } from "../../../src/predictions/open-predictions.ts";
import { encodePredictions } from "../../../src/runs/predictions.ts";
import { npyFile, npyTexts } from "../../../src/tables/npy.ts";
import { type FuzzedFormat, type Mutator, mustHold, noOpinion } from "../fuzzed-format.ts";
import { parquetFooter, parquetPages } from "../mutators/binary.ts";
import { jsonFile, jsonLines } from "../mutators/json.ts";
import { oddTable } from "../mutators/odd-text.ts";
import { tableText } from "../mutators/text.ts";
import { parquetFields, parquetPageFields } from "../mutators/thrift.ts";
import { jsonLineWords, jsonWords } from "../mutators/tokens.ts";
import { npyContents, npzArrays, writeZip, zipDirectory } from "../mutators/zip.ts";
import { duckRows, duckText } from "../others/duck.ts";
import { refereeReads } from "../others/referee.ts";
import { smallDataset } from "./small-dataset.ts";

const header = ["id", "split", "y_true", "y_pred", "colour"];
const rows = Array.from({ length: 12 }, (_, i) => [
  `i${i}`,
  i < 6 ? "val" : "test",
  i % 2,
  i % 3 === 0 ? 1 : 0,
  ["red", "blue"][i % 2]!,
]);
const records = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
const delimited = (separator: string) =>
  [header, ...rows]
    .map((row) => row.join(separator))
    .join("\n")
    .concat("\n");

/** Every cell, as text; as many in each column as there are rows. */
async function tableContent(path: string, labels?: readonly string[]): Promise<unknown> {
  const table = await openPredictions(path, labels === undefined ? {} : { labels });
  const wanted = table.columns.map((name, place) => ({ name, place, as: "texts" as const }));
  const cells: string[][] = wanted.map(() => []);
  for await (const { count, columns } of table.batches(wanted, { workers: 0 })) {
    mustHold(columns.length === wanted.length, `${columns.length} columns of ${wanted.length}`);
    for (const [i, column] of columns.entries()) {
      const texts = column.as === "texts" ? column.texts : [];
      mustHold(texts.length === count, `${texts.length} cells of ${table.columns[i]} in ${count} rows`);
      for (const text of texts) cells[i]!.push(text);
    }
  }
  if (table.rows !== undefined && cells[0])
    mustHold(cells[0].length === table.rows, `${cells[0].length} rows of ${table.rows}`);
  return { columns: table.columns, cells };
}

function predictions(
  name: string,
  file: string,
  kind: string,
  content: () => string | Uint8Array | Promise<Uint8Array>,
  mutators: readonly Mutator[],
  other: FuzzedFormat["other"],
): FuzzedFormat {
  return {
    name,
    covers: [`table ${kind}`],
    mutators,
    seed: async (folder) => {
      writeFileSync(join(folder, file), await content());
      return file;
    },
    read: (folder) => tableContent(join(folder, file)),
    ...(other && { other }),
    ...(other === separatedTable && { differs: cellsDiffer }),
  };
}

function arrays(): Uint8Array {
  const column = (name: string, at: number) => ({
    name: `${name}.npy`,
    packed: false,
    bytes: npyTexts(rows.map((row) => String(row[at]))),
  });
  const codes = (name: string, at: number) => ({
    name: `${name}.npy`,
    packed: true,
    bytes: npyFile(
      Uint8Array.from(rows, (row) => Number(row[at])),
      "<i8",
    ),
  });
  return writeZip([
    column("id", 0),
    column("split", 1),
    codes("y_true", 2),
    codes("y_pred", 3),
    column("colour", 4),
  ]);
}

async function ourPredictions(): Promise<Uint8Array> {
  const indices = Uint32Array.from({ length: 4 }, (_, i) => i + 4);
  const logits = Float32Array.from({ length: 8 }, (_, i) => Math.sin(i));
  return encodePredictions(smallDataset, { indices, logits }, null);
}

/** DuckDB's words for numbers are not always ours: cells are compared where both are whole numbers or texts. */
async function duckTable(folder: string, file: string): Promise<unknown> {
  const found = await duckRows(`select * from read_parquet('${join(folder, file)}')`);
  const columns = Object.keys(found[0] ?? {});
  return { columns, cells: columns.map((name) => found.map((row) => duckText(row[name]))) };
}

interface TableContent {
  columns: string[];
  cells: string[][];
}

/** Rows as others read them, in the columns that ours has. */
function inColumns({ columns }: TableContent, found: readonly Record<string, unknown>[]): TableContent {
  const others = new Set(found.flatMap((row) => Object.keys(row)));
  mustHold(
    others.size === columns.length && columns.every((name) => others.has(name)),
    `columns ${columns.join()} ≠ ${[...others].join()}`,
  );
  return {
    columns,
    cells: columns.map((name) => found.map((row) => cellText(Object.hasOwn(row, name) ? row[name] : ""))),
  };
}

/** Numbers are spelled as JavaScript does; what is no single value, too. */
function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  if (typeof cell !== "object") return String(cell as string | number);
  return JSON.stringify(
    JSON.parse((cell as { json: string }).json.replaceAll(/\b(NaN|-?Infinity)\b/g, "null")),
  );
}

function jsonTable(kind: "json_rows" | "json_lines"): NonNullable<FuzzedFormat["other"]> {
  return async (folder, file, ours) => {
    const found = await refereeReads(kind, join(folder, file));
    return found === noOpinion
      ? noOpinion
      : inColumns(ours as TableContent, found as Record<string, unknown>[]);
  };
}

/** By the separator that gives the columns that ours has. */
const separatedTable: FuzzedFormat["other"] = async (folder, file, ours) => {
  const found = await refereeReads("table", join(folder, file));
  if (found === noOpinion) return noOpinion;
  const { columns } = ours as TableContent;
  const all = Object.values(found as Record<string, string[][] | string>);
  const rows = all.find(
    (each): each is string[][] =>
      typeof each !== "string" && bare(each[0] ?? []).join("\n") === bare(columns).join("\n"),
  );
  if (rows === undefined)
    throw new Error(`no separator gives ${columns.join()}: ${JSON.stringify(all).slice(0, 100)}`);
  return { columns, cells: columns.map((_, i) => rows.slice(1).map((row) => row[i] ?? "(none)")) };
};

/** What counts as white space around a cell, beyond spaces and tabs, is everybody's own. */
function bare(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.trim());
}

/** Of one column, an empty line and an empty text are told from each other by few. */
function filled(cells: readonly string[], columns: number): string[] {
  return columns > 1 ? bare(cells) : bare(cells).filter(Boolean);
}

function cellsDiffer(ours: unknown, theirs: unknown): string | undefined {
  const [mine, others] = [ours as TableContent, theirs as TableContent];
  for (const [i, name] of mine.columns.entries()) {
    const [a, b] = [mine, others].map(({ cells }) => filled(cells[i]!, mine.columns.length)) as [
      string[],
      string[],
    ];
    const at = a.length === b.length ? a.findIndex((cell, row) => cell !== b[row]) : 0;
    if (at >= 0) return `${name}, row ${at}: ${JSON.stringify(a[at])} ≠ ${JSON.stringify(b[at])}`;
  }
  return undefined;
}

const arrayTable: FuzzedFormat["other"] = async (folder, file, ours) => {
  const found = await refereeReads("arrays", join(folder, file));
  if (found === noOpinion) return noOpinion;
  const { columns } = ours as TableContent;
  const known = found as Record<string, { values: (string | number)[] }>;
  return { columns, cells: columns.map((name) => (known[name]!.values ?? []).map(String)) };
};

async function accuracyContent(path: string): Promise<unknown> {
  const table = await openAccuracies([path]);
  const texts = table.columns.filter((name) => !/acc|config\b/.test(name));
  const numbers = table.columns.filter((name) => name.includes("acc"));
  const read = await table.read({ numbers, texts });
  for (const [name, values] of read.numbers)
    mustHold(values.length === read.rows, `${values.length} numbers of ${name} in ${read.rows} rows`);
  for (const [name, { codes, values }] of read.texts) {
    mustHold(codes.length === read.rows, `${codes.length} texts of ${name} in ${read.rows} rows`);
    mustHold(
      codes.every((code) => code < values.length),
      `a text of ${name} that is not there`,
    );
  }
  return { columns: table.columns, numbers: read.numbers, texts: read.texts };
}

function accuracies(name: string, file: string, content: string, mutators: readonly Mutator[]): FuzzedFormat {
  return {
    name,
    covers: ["accuracies"],
    mutators,
    seed: async (folder) => {
      writeFileSync(join(folder, file), content);
      return file;
    },
    read: (folder) => accuracyContent(join(folder, file)),
  };
}

const config = (i: number) => `"{'arch': 'resnet${i}', 'pre': True, 'lr': 1e-${i + 1}}"`;

const gqa: FuzzedFormat = {
  name: "predictions, GQA",
  covers: ["predictions gqa"],
  mutators: [jsonFile, jsonWords],
  seed: async (folder) => {
    const ids = ["1", "2", "3", "4"];
    const questions = ids.map((id, i) => [
      id,
      { answer: i % 2 ? "yes" : "no", isBalanced: true, groups: { global: "a", local: `l${i % 2}` } },
    ]);
    writeFileSync(join(folder, "questions_all.json"), JSON.stringify(Object.fromEntries(questions)));
    writeFileSync(
      join(folder, "p.json"),
      JSON.stringify(ids.map((id) => ({ questionId: id, prediction: "yes" }))),
    );
    return "questions_all.json";
  },
  read: (folder) => tableContent(join(folder, "p.json"), [join(folder, "questions_all.json")]),
};

const wildsName = "camelyon17_split:test_seed:0_epoch:best_pred.csv";
const wilds: FuzzedFormat = {
  name: "predictions, WILDS",
  covers: ["predictions wilds"],
  mutators: [tableText(","), oddTable(",")],
  seed: async (folder) => {
    writeFileSync(
      join(folder, "labels.csv"),
      `y,split,hospital\n${Array.from({ length: 8 }, (_, i) => `${i % 2},${i < 4 ? "train" : "test"},${i % 3}`).join("\n")}\n`,
    );
    writeFileSync(join(folder, wildsName), "0\n1\n1\n0\n");
    return wildsName;
  },
  read: (folder) => tableContent(join(folder, wildsName), [join(folder, "labels.csv")]),
};

export const tableFormats: readonly FuzzedFormat[] = [
  predictions(
    "predictions, CSV",
    "p.csv",
    "csv",
    () => delimited(","),
    [tableText(","), oddTable(",")],
    separatedTable,
  ),
  predictions(
    "predictions, TSV",
    "p.tsv",
    "csv",
    () => delimited("\t"),
    [tableText("\t"), oddTable("\t")],
    separatedTable,
  ),
  predictions(
    "predictions, JSON",
    "p.json",
    "JSON",
    () => JSON.stringify(records),
    [jsonFile, jsonWords],
    jsonTable("json_rows"),
  ),
  predictions(
    "predictions, JSON lines",
    "p.jsonl",
    "JSON",
    () => records.map((row) => JSON.stringify(row)).join("\n"),
    [jsonLines, jsonLineWords],
    jsonTable("json_lines"),
  ),
  predictions("predictions, npz", "p.npz", "npz", arrays, [npzArrays, zipDirectory, npyContents], arrayTable),
  predictions(
    "predictions, Parquet",
    "p.parquet",
    "Parquet",
    ourPredictions,
    [parquetFooter, parquetPages, parquetFields, parquetPageFields],
    duckTable,
  ),
  gqa,
  wilds,
  accuracies(
    "accuracies, CSV",
    "a.csv",
    `model,val_acc,test_acc,config\n${[0, 1, 2, 3].map((i) => `m${i},0.${i + 5},0.${i + 4},${config(i)}`).join("\n")}\n`,
    [tableText(","), oddTable(",")],
  ),
  accuracies(
    "accuracies, JSON lines",
    "results.jsonl",
    [0, 1, 2, 3]
      .map((i) => JSON.stringify({ model: `m${i}`, val_acc: 0.5 + i / 10, test_acc: 0.4, args: { lr: i } }))
      .join("\n"),
    [jsonLines, jsonLineWords],
  ),
];
