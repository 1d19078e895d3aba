/**
 * A table in a NumPy archive: every array of one dimension is a column, and `logits` or `probs` of two are a column a class, called
 * `logit_0`, `logit_1`, … as our own tables call them.
 */

import { CuelabError } from "../core/errors.ts";
import { npyItemBytes, npyValues } from "./npy.ts";
import { openArrays, readWithin, type StoredArray, tuple } from "./npz-archive.ts";
import { scoreArrays } from "./score-arrays.ts";
import type { TableFile } from "./table.ts";
import { mostPartRows, type ValuePart, valueBatches } from "./value-batches.ts";

interface NpzColumn {
  array: string;
  /** Which of how many numbers of a row. */
  item: number;
  width: number;
}

export async function openNpzTable(path: string): Promise<TableFile> {
  const { rows, places, remarks } = await looked(path);
  return {
    path,
    columns: [...places.keys()],
    rows,
    remarks,
    async *batches(wanted, options) {
      const { arrays, close } = await openArrays(path);
      try {
        const needed = new Set(wanted.map(({ name }) => places.get(name)!.array));
        const parts = partsOf(
          path,
          rows,
          places,
          arrays.filter(({ name }) => needed.has(name)),
        );
        yield* valueBatches(path, wanted, parts, options);
      } finally {
        await close();
      }
    },
  };
}

async function looked(path: string) {
  const { arrays, unreadable, close } = await openArrays(path);
  await close();
  const rows = arrays.find(({ shape }) => shape.length === 1)?.shape[0];
  if (rows === undefined) throw noColumns(path, arrays);
  const places = new Map<string, NpzColumn>();
  const remarks = unreadable.map(({ name, failure }) => `array "${name}" is not used: ${failure.parts.what}`);
  for (const { name, shape, dtype } of arrays) {
    const prefix = scoreArrays.get(name);
    if (shape.length > 0 && shape[0] !== rows) throw otherLength(path, name, shape, rows);
    if (npyItemBytes(dtype) === undefined) remarks.push(unusable(name, dtype));
    else if (shape.length === 1) places.set(name, { array: name, item: 0, width: 1 });
    else if (shape.length === 2 && prefix !== undefined)
      for (let item = 0; item < shape[1]!; item++)
        places.set(`${prefix}${item}`, { array: name, item, width: shape[1]! });
    else remarks.push(`array "${name}" of shape ${tuple(shape)} is not used: columns have one dimension`);
  }
  return { rows, places, remarks };
}

async function* partsOf(
  path: string,
  rows: number,
  places: ReadonlyMap<string, NpzColumn>,
  arrays: readonly StoredArray[],
): AsyncGenerator<ValuePart> {
  for (let first = 0; first < rows; first += mostPartRows) {
    const count = Math.min(mostPartRows, rows - first);
    const values = new Map<string, (string | number)[]>();
    for (const array of arrays) {
      const where = `${path}, array ${array.name}`;
      const rowBytes = npyItemBytes(array.dtype)! * (array.shape[1] ?? 1);
      const bytes = await readWithin(array, first * rowBytes, count * rowBytes, where);
      values.set(array.name, [...npyValues(bytes, array.dtype, where)]);
    }
    yield {
      count,
      cell: (column, row) => {
        const { array, item, width } = places.get(column)!;
        return values.get(array)![row * width + item]!;
      },
    };
  }
}

/** pandas' texts are such objects, unless they are made texts. */
function unusable(name: string, dtype: string): string {
  const python = dtype.includes("O") ? `; in Python: ${name}.astype("U")` : "";
  return `array "${name}" is not used: of type ${dtype}, which are neither numbers nor texts${python}`;
}

function noColumns(path: string, arrays: readonly StoredArray[]): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the npz holds no column",
    where: path,
    expected: "arrays of one dimension, such as y_true and y_pred",
    got: arrays.map(({ name, shape }) => `${name} ${tuple(shape)}`).join(", ") || "no arrays",
  });
}

function otherLength(path: string, name: string, shape: readonly number[], rows: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `array "${name}" has another number of rows`,
    where: path,
    expected: `${rows}, as the others`,
    got: `shape ${tuple(shape)}`,
  });
}
