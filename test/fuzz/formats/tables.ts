/** Tables: of predictions, of accuracies, in every kind of file that is read as one. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAccuracies } from "../../../src/predictions/accuracies/open-accuracies.ts";
import { openPredictions } from "../../../src/predictions/open-predictions.ts";
import { encodePredictions } from "../../../src/runs/predictions.ts";
import { npyFile, npyTexts } from "../../../src/tables/npy.ts";
import { type FuzzedFormat, type Mutator, mustHold } from "../fuzzed-format.ts";
import { parquetFooter, parquetPages } from "../mutators/binary.ts";
import { jsonFile, jsonLines } from "../mutators/json.ts";
import { tableText } from "../mutators/text.ts";
import { npzArrays, writeZip } from "../mutators/zip.ts";
import { duckRows, duckText } from "./duck.ts";
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
  other?: FuzzedFormat["other"],
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
  mutators: [jsonFile],
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
  mutators: [tableText(",")],
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
  predictions("predictions, CSV", "p.csv", "csv", () => delimited(","), [tableText(",")]),
  predictions("predictions, TSV", "p.tsv", "csv", () => delimited("\t"), [tableText("\t")]),
  predictions("predictions, JSON", "p.json", "JSON", () => JSON.stringify(records), [jsonFile]),
  predictions(
    "predictions, JSON lines",
    "p.jsonl",
    "JSON",
    () => records.map((row) => JSON.stringify(row)).join("\n"),
    [jsonLines],
  ),
  predictions("predictions, npz", "p.npz", "npz", arrays, [npzArrays]),
  predictions(
    "predictions, Parquet",
    "p.parquet",
    "Parquet",
    ourPredictions,
    [parquetFooter, parquetPages],
    duckTable,
  ),
  gqa,
  wilds,
  accuracies(
    "accuracies, CSV",
    "a.csv",
    `model,val_acc,test_acc,config\n${[0, 1, 2, 3].map((i) => `m${i},0.${i + 5},0.${i + 4},${config(i)}`).join("\n")}\n`,
    [tableText(",")],
  ),
  accuracies(
    "accuracies, JSON lines",
    "results.jsonl",
    [0, 1, 2, 3]
      .map((i) => JSON.stringify({ model: `m${i}`, val_acc: 0.5 + i / 10, test_acc: 0.4, args: { lr: i } }))
      .join("\n"),
    [jsonLines],
  ),
];
