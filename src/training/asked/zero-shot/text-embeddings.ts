/** Text embeddings in files: a row a class, from NumPy, safetensors or CSV; ours are kept as safetensors, with what made them. */

import { existsSync } from "node:fs";
import { extname } from "node:path";
import { CuelabError } from "../../../core/errors.ts";
import { guarded } from "../../../disk/guarded.ts";
import { readPlain } from "../../../disk/plain-file.ts";
import { writeWhole } from "../../../disk/write-whole.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../runs/safetensors.ts";
import { csvRows } from "../../../tables/csv-rows.ts";
import { checkNpyLength, npyValues, parseNpyHeader } from "../../../tables/npy.ts";

export interface TextEmbeddings {
  /** [classes, width], in unit length. */
  rows: Float32Array;
  classes: number;
  width: number;
  names?: readonly string[];
  /** Where the file says it. */
  scale?: number;
}

type Matrix = Omit<TextEmbeddings, "names" | "scale"> & {
  names?: readonly string[] | undefined;
  scale?: number | undefined;
  madeOf?: string | undefined;
};

const expected = "a matrix with a row for each class: .npy, .safetensors or .csv";
const tensorNames = ["text_embeds", "text_embeddings", "embeddings", "weight"];

export async function readTextEmbeddings(path: string): Promise<TextEmbeddings> {
  const { madeOf: _, ...found } = await guarded(path, () => matrixIn(path), "the embeddings cannot be read");
  return withoutUndefined(found);
}

/** Those that were kept of the same tower, tokenizer and prompts; undefined where there is no such file yet. */
export async function keptEmbeddings(path: string, madeOf: string): Promise<TextEmbeddings | undefined> {
  if (extname(path).toLowerCase() !== ".safetensors")
    throw new CuelabError({
      kind: "usage",
      what: "embeddings that a text tower makes are kept as safetensors",
      where: path,
      todo: "give --text-embeddings a name that ends in .safetensors, or leave --text-tower and --prompts away to use the file as it is",
    });
  if (!existsSync(path)) return undefined;
  const { madeOf: before, ...found } = await guarded(path, () => matrixIn(path));
  if (before === madeOf) return withoutUndefined(found);
  throw new CuelabError({
    kind: "input",
    what: "these embeddings were made of other texts, or by another tower or tokenizer",
    where: path,
    todo: "name another file to keep the new ones in, or leave --text-tower and --prompts away to use these as they are",
  });
}

/** Without `scale` and names, which have their own ways. */
export async function keepEmbeddings(
  path: string,
  made: Matrix,
  classNames: readonly string[],
  madeOf: string,
): Promise<void> {
  const { rows, classes, width } = made;
  const tensors = new Map([["text_embeds", { shape: [classes, width], data: rows }]]);
  await writeWhole(
    path,
    encodeSafetensors({ tensors, metadata: { madeOf, classNames: JSON.stringify(classNames) } }),
    {
      overwrite: false,
    },
  );
}

/** Each row in unit length. */
export function inUnitLength(rows: Float32Array, width: number, where: string): Float32Array {
  const made = new Float32Array(rows.length);
  for (let start = 0; start < rows.length; start += width) {
    let squares = 0;
    for (let k = 0; k < width; k++) squares += rows[start + k]! ** 2;
    if (!(squares > 0) || !Number.isFinite(squares))
      throw new CuelabError({
        kind: "input",
        what: "an embedding has no direction",
        where,
        expected: "numbers that are not all zero",
        got: `row ${start / width + 1}: ${[...rows.subarray(start, start + Math.min(4, width))].join(", ")}, …`,
      });
    const length = Math.sqrt(squares);
    for (let k = 0; k < width; k++) made[start + k] = rows[start + k]! / length;
  }
  return made;
}

async function matrixIn(path: string): Promise<Matrix> {
  const kind = extname(path).toLowerCase();
  if (kind === ".npy") return inNpy(await readPlain(path), path);
  if (kind === ".safetensors") return inSafetensors(await readPlain(path), path);
  if (kind === ".csv") return inCsv(path);
  throw unread(path, `a file that ends in "${kind}"`);
}

function matrix(values: Float32Array, shape: readonly number[], where: string): Matrix {
  const [classes = 0, width = 0] = shape;
  if (shape.length !== 2 || classes < 2 || width < 1) throw unread(where, `[${shape.join(", ")}]`);
  return { rows: inUnitLength(values, width, where), classes, width };
}

function inNpy(bytes: Buffer, where: string): Matrix {
  const { dtype, shape, headerLength } = parseNpyHeader(bytes, where);
  const body = bytes.subarray(headerLength);
  checkNpyLength({ dtype, shape }, body.length, where);
  return matrix(Float32Array.from(npyValues(body, dtype, where), Number), shape, where);
}

function inSafetensors(bytes: Uint8Array, where: string): Matrix {
  const { tensors, metadata } = decodeSafetensors(bytes, where);
  const name =
    tensorNames.find((each) => tensors.has(each)) ??
    [...tensors.keys()].find((each) => each !== "logit_scale");
  const found = tensors.get(name ?? "");
  if (found === undefined) throw unread(where, "no tensor");
  const names: unknown = metadata.classNames === undefined ? undefined : JSON.parse(metadata.classNames);
  const isNames = Array.isArray(names) && names.every((each) => typeof each === "string");
  return {
    ...matrix(found.data, found.shape, where),
    madeOf: metadata.madeOf,
    names: isNames ? names : undefined,
    scale: scaleIn(tensors.get("logit_scale")?.data),
  };
}

/** As CLIP keeps it: its logarithm. */
export function scaleIn(stored: Float32Array | undefined): number | undefined {
  return stored?.length === 1 ? Math.exp(stored[0]!) : undefined;
}

/** With names in the first column, or without; pandas' row numbers are passed over. */
async function inCsv(path: string): Promise<Matrix> {
  let header: string[] = [];
  const rows: string[][] = [];
  for await (const { cells } of csvRows(path, (names) => {
    header = names;
  }))
    rows.push(cells);
  const isNumber = (cell: string | undefined) =>
    cell !== undefined && cell.trim() !== "" && Number.isFinite(Number(cell));
  // Without a header the first row has numbers as the others do, and not 0, 1, 2, ….
  if (header.slice(1).every(isNumber) && !header.slice(1).every((cell) => Number.isInteger(Number(cell))))
    rows.unshift(header);
  const hasNames = rows.some(([first]) => !isNumber(first)) || /^(class|name|label)$/i.test(header[0] ?? "");
  const skips = hasNames || (header[0] ?? "").trim() === "" ? 1 : 0;
  const width = (rows[0]?.length ?? 0) - skips;
  const values = new Float32Array(Math.max(0, rows.length * width));
  for (const [i, cells] of rows.entries())
    for (const [k, cell] of cells.slice(skips).entries()) {
      if (!isNumber(cell)) throw unread(path, `row ${i + 1}: "${cell}"`);
      values[i * width + k] = Number(cell);
    }
  return {
    ...matrix(values, [rows.length, width], path),
    names: hasNames ? rows.map(([name]) => name!) : undefined,
  };
}

function withoutUndefined({ names, scale, ...rest }: Matrix): TextEmbeddings {
  return { ...rest, ...(names && { names }), ...(scale !== undefined && { scale }) };
}

function unread(where: string, got: string): CuelabError {
  return new CuelabError({ kind: "input", what: "these are no text embeddings", where, expected, got });
}
