/** Columns inside columns: `model_hparams.model_arch` is a key of the mapping that each cell of model_hparams spells. */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import {
  type AccuracyRequest,
  type AccuracyTable,
  type AccuracyTexts,
  cellNumber,
  type ReadAccuracyOptions,
  type ReadColumns,
} from "./column-table.ts";
import { type Literal, pythonLiteral } from "./python-literal.ts";

/** Where a column is found: itself, or a key of another. */
interface NestedPlace {
  column: string;
  keys: readonly string[];
}

/** Where the table has such a column; undefined where it has none. */
export function findColumn(columns: readonly string[], name: string): NestedPlace | undefined {
  if (columns.includes(name)) return { column: name, keys: [] };
  const parts = name.split(".");
  for (let taken = parts.length - 1; taken > 0; taken--) {
    const column = parts.slice(0, taken).join(".");
    if (columns.includes(column)) return { column, keys: parts.slice(taken) };
  }
  return undefined;
}

/** Reads columns and keys of columns alike; every name must be findable. */
export async function readNested(
  table: AccuracyTable,
  request: AccuracyRequest,
  options?: ReadAccuracyOptions,
): Promise<ReadColumns> {
  const place = (name: string) => findColumn(table.columns, name)!;
  const flat = (names: readonly string[]) => names.filter((name) => place(name).keys.length === 0);
  const nested = [...request.numbers, ...request.texts].filter((name) => place(name).keys.length > 0);
  const holders = nested.map((name) => place(name).column);
  const numbers = flat(request.numbers);
  const texts = [...new Set([...flat(request.texts), ...holders])];
  const both = texts.find((name) => numbers.includes(name));
  if (both !== undefined) throw usedTwice(table.path, both);
  const found = await table.read({ numbers, texts }, options);
  const parsed = new Map(
    [...new Set(holders)].map((name) => [name, parsedValues(lookUp(found.texts, name))]),
  );
  const valuesOf = (name: string) => {
    const { column, keys } = place(name);
    return lookUp(parsed, column).map((literal, i) => {
      if (literal !== undefined) return inside(literal, keys);
      throw noMapping(table.path, column, lookUp(found.texts, column).values[i]!);
    });
  };
  return {
    rows: found.rows,
    numbers: new Map(
      request.numbers.map((name) => {
        const { column, keys } = place(name);
        if (keys.length === 0) return [name, lookUp(found.numbers, name)];
        const values = valuesOf(name).map((value) => cellNumber(value, () => `${table.path}, ${name}`));
        return [name, Float64Array.from(lookUp(found.texts, column).codes, (code) => values[code]!)];
      }),
    ),
    texts: new Map(
      request.texts.map((name) => {
        const { column, keys } = place(name);
        const holder = lookUp(found.texts, column);
        return [name, keys.length === 0 ? holder : recoded(holder, valuesOf(name).map(literalText))];
      }),
    ),
  };
}

/** Several texts may give one value: codes are made anew. */
function recoded({ codes }: AccuracyTexts, texts: readonly string[]): AccuracyTexts {
  const book = new Map<string, number>();
  const newCodes = texts.map((text) => {
    if (!book.has(text)) book.set(text, book.size);
    return lookUp(book, text);
  });
  return { codes: codes.map((code) => newCodes[code]!), values: [...book.keys()] };
}

function parsedValues({ values }: AccuracyTexts): (Literal | undefined)[] {
  return values.map((text) => (text === "" ? {} : pythonLiteral(text)));
}

function inside(literal: Literal, keys: readonly string[]): Literal {
  let value: Literal | undefined = literal;
  for (const key of keys) {
    value =
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string, Literal>>)[key]
        : undefined;
  }
  return value ?? null;
}

function literalText(value: Literal): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function noMapping(path: string, column: string, text: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `a cell of ${column} spells no mapping`,
    where: path,
    expected: "{'key': value, …} as Python or JSON writes it",
    got: text.length > 80 ? `${text.slice(0, 80)}…` : text,
  });
}

function usedTwice(path: string, column: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `column ${column} is asked for both as accuracies and to tell rows apart`,
    where: path,
    todo: "take it out of --by, --environment or --model",
  });
}
