/** A table by what its file holds: Parquet, npz and JSON by their first bytes, else delimited text. */

import { CuelabError } from "../core/errors.ts";
import { guarded, guardedParts } from "../disk/guarded.ts";
import { openPlain } from "../disk/plain-file.ts";
import { isPipedIn, isPipeName, onDisk, standardInput } from "../disk/standard-input.ts";
import { checkVouched } from "../disk/vouched.ts";
import { openCsv } from "./open-csv.ts";
import { openParquet } from "./open-parquet.ts";
import type { TableFile } from "./table.ts";

/** Endings of files that are tables; `.json` is that of many other things, too. */
export const tableEndings = [".csv", ".tsv", ".txt", ".parquet", ".jsonl", ".ndjson", ".npz"] as const;

export function isTableName(path: string): boolean {
  return isPipeName(path) || tableEndings.some((ending) => path.endsWith(ending));
}

/** Loaded when they are needed: most tables are texts or Parquet. */
const openers = {
  csv: openCsv,
  Parquet: openParquet,
  npz: async (path: string) => (await import("./open-npz.ts")).openNpzTable(path),
  JSON: async (path: string) => (await import("./open-json.ts")).openJson(path),
};

type TableKind = keyof typeof openers;

/** Kinds of files that are read as tables. */
export const tableKinds = Object.keys(openers) as readonly TableKind[];

const endingsOf: Record<Exclude<TableKind, "csv">, RegExp> = {
  Parquet: /\.parquet$/,
  npz: /\.npz$/,
  JSON: /\.(jsonl|ndjson|json)$/,
};

type OpenedTableFile = TableFile & { notes?: ReadonlyMap<string, string> };

export async function openTableFile(path: string): Promise<OpenedTableFile> {
  const where = path === standardInput ? "standard input" : path;
  const what = "the table cannot be read";
  const table = await guarded(where, () => openAny(path), what);
  return {
    ...table,
    // Some are known only once the file has been read.
    get remarks() {
      return table.remarks;
    },
    batches: (wanted, options) => guardedParts(where, () => table.batches(wanted, options), what),
  };
}

async function openAny(path: string): Promise<OpenedTableFile> {
  if (await isPipedIn(path)) return openPiped(path);
  await checkVouched(path);
  const content = await kindByContent(path);
  const named = (Object.keys(endingsOf) as (keyof typeof endingsOf)[]).find((kind) =>
    endingsOf[kind].test(path),
  );
  if (content === undefined || content === named) return openers[named ?? "csv"](path);
  const table = await openers[content](path);
  const remark = `${path}: ${article[content]} by its content, and read as one`;
  return {
    ...table,
    get remarks() {
      return [...table.remarks, remark];
    },
  };
}

/** What is piped in lies in a file whose name nobody knows. */
async function openPiped(pipe: string): Promise<OpenedTableFile> {
  const path = await onDisk(pipe);
  const title = pipe === standardInput ? "standard input" : pipe;
  const named = (cause: unknown) =>
    cause instanceof CuelabError && cause.parts.where !== undefined
      ? new CuelabError({ ...cause.parts, where: cause.parts.where.replace(path, () => title) })
      : cause;
  try {
    const content = await kindByContent(path);
    const table: OpenedTableFile = await openers[content ?? "csv"](path);
    return {
      ...table,
      path: pipe,
      get remarks() {
        return table.remarks.map((remark) => remark.replace(path, title));
      },
      async *batches(wanted, options) {
        try {
          yield* table.batches(wanted, options);
        } catch (cause) {
          throw named(cause);
        }
      },
    };
  } catch (cause) {
    throw named(cause);
  }
}

const article = { Parquet: "a Parquet file", npz: "an npz file", JSON: "a JSON file" } as const;

/** Undefined where the first bytes tell nothing: text, or something that whoever opens it will refuse. */
async function kindByContent(path: string): Promise<Exclude<TableKind, "csv"> | undefined> {
  const file = await openPlain(path).catch(() => undefined);
  // Whoever opens it next says what is wrong.
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const start = buffer.toString("latin1", 0, bytesRead);
    if (start.startsWith("PAR1")) return "Parquet";
    // Excel's files are zip archives, too; the first entry of an npz is an array.
    if (start.startsWith("PK\x03\x04")) return start.includes(".npy") ? "npz" : undefined;
    return /^\s*(\[\s*)?\{\s*"/.test(start) ? "JSON" : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
