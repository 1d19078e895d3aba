/** Numbers as people write them: with a point or a decimal comma, plain or in per cent. */

import { CellError } from "../core/cell-error.ts";

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const withComma = /^[+-]?\d+,\d+(e[+-]?\d+)?$/i;
/** 1,234 is 1.234 in one country and 1234 in another; 0,234 is the same everywhere. */
const ambiguous = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const thousands = /^[+-]?\d{1,3}([.,' ]\d{3})*[.,]\d+$|^[+-]?\d{1,3}([.,' ]\d{3})+$/;

export interface ParsedNumber {
  value: number;
  /** How it was written. */
  comma: boolean;
  percent: boolean;
}

/** Undefined where the text is no number; throws where it could be two. */
export function numberCell(text: string): ParsedNumber | undefined {
  const percent = text.endsWith("%");
  const digits = percent ? text.slice(0, -1).trimEnd() : text;
  const comma = withComma.test(digits);
  if (comma ? ambiguous.test(digits) : !plain.test(digits) && thousands.test(digits)) {
    throw new CellError("a number can be read in two ways", {
      expected: "a decimal point or a decimal comma, and nothing between thousands",
      got: JSON.stringify(text),
      todo: "write it with a decimal point",
    });
  }
  if (!comma && !plain.test(digits)) return undefined;
  const pointed = comma ? digits.replace(",", ".") : digits;
  // Shifted in the text, 93.1% is the double nearest to 0.931; a quotient would be rounded twice.
  const value =
    percent && !/e/i.test(pointed) ? Number(`${pointed}e-2`) : Number(pointed) / (percent ? 100 : 1);
  return Number.isFinite(value) ? { value, comma, percent } : undefined;
}
