/** What reading a part of a file gives: plain data that a worker can send. Rows count from 0, within the part. */

import type { OddCell } from "./table.ts";

export interface ParsedCodes {
  as: "codes";
  /** Into the texts that this reader has seen, which are told once, with the row of each. */
  codes: Int32Array;
  fresh: readonly { text: string; row: number }[];
  overflowed: boolean;
}

export interface ParsedNumbers {
  as: "numbers";
  numbers: Float64Array;
  missing: OddCell | undefined;
  wrong: OddCell | undefined;
  /** The first cells written in each way; columns that mix ways are refused. */
  ways: Record<NumberWay, OddCell | undefined>;
}

/** Numbers with a point, with a decimal comma; in per cent, and not. */
export type NumberWay = "point" | "comma" | "percent" | "plain";

interface ParsedTexts {
  as: "texts";
  texts: string[];
}

export type ParsedColumn = ParsedCodes | ParsedNumbers | ParsedTexts;

export interface ParsedChunk {
  rows: number;
  /** Lines of text in it. */
  lines: number;
  columns: ParsedColumn[];
  /** Line of each row, where it is asked for. */
  rowLines?: Int32Array;
  /** Where equal rows are counted: how many there are of each row that is told, which may be of earlier parts. */
  times?: Uint32Array;
  /** Where reading stopped; the columns then hold nothing. */
  error?: ChunkError;
}

export interface ChunkError {
  what: string;
  /** Within the part, from 0. */
  line?: number;
  row?: number;
  column?: string;
  expected?: string;
  got?: string;
  todo?: string;
}

/** What need not be copied to another thread. */
export function chunkBuffers({ columns, times }: ParsedChunk): ArrayBuffer[] {
  const buffers = columns.flatMap((column) =>
    column.as === "codes"
      ? [column.codes.buffer as ArrayBuffer]
      : column.as === "numbers"
        ? [column.numbers.buffer as ArrayBuffer]
        : [],
  );
  return times ? [...buffers, times.buffer as ArrayBuffer] : buffers;
}
