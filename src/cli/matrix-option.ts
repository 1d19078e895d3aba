/** Vectors and matrices on the command line: `1,1`; `1,0;0,1` row by row; a number alone for a multiple of I. */

import { InvalidArgumentError } from "commander";
import { type RealMatrix, scaledIdentity, type Vector } from "../theory/matrix.ts";

/** A multiple of the identity, whose size is known later, or a matrix. */
export type MatrixText = number | RealMatrix;

export function vectorOption(text: string): Vector {
  const values = numbers(text);
  if (values) return values;
  throw new InvalidArgumentError("Expected numbers by commas, such as 1,1.");
}

export function matrixOption(text: string): MatrixText {
  const rows = text.split(";").map(numbers);
  const [first] = rows;
  if (rows.length === 1 && first?.length === 1) return first[0]!;
  if (rows.every((row) => row?.length === rows.length)) return rows as RealMatrix;
  throw new InvalidArgumentError("Expected rows of numbers, such as '1,0;0,1', or one number a for a·I.");
}

export function matrixOf(given: MatrixText, size: number): RealMatrix {
  return typeof given === "number" ? scaledIdentity(size, given) : given;
}

function numbers(text: string): Vector | undefined {
  const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  return values.every(Number.isFinite) ? values : undefined;
}
