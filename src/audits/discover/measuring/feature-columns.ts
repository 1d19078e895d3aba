/** A network's features of the images as properties: where each lies along their leading principal components. */

import type { Dataset } from "../../../core/dataset.ts";
import { CuelabError } from "../../../core/errors.ts";
import { randomStream } from "../../../core/random.ts";
import type { AuditedFeatures } from "../../audit.ts";
import { principalComponents, project } from "../../embedding/pca.ts";
import type { PropertyAbout } from "../properties/property.ts";
import { MeasuredNumbers } from "./measured-column.ts";

/** Further ones tell little of most images. */
const mostComponents = 8;
/** Images by which components are found; all are then projected. */
const mostFitted = 5000;
/** Of doubles at a time. */
const rowsAtOnce = 4096;

export interface FeatureColumn {
  property: PropertyAbout;
  column: MeasuredNumbers;
}

export function featureColumns(dataset: Dataset, given: AuditedFeatures): FeatureColumn[] {
  refuseOthers(dataset, given);
  const { features, width } = given;
  const { count } = dataset.images;
  const order = randomStream(0, "discover/features").at(0).permutation(count).subarray(0, mostFitted).sort();
  const values = new Float64Array(order.length * width);
  for (const [row, index] of order.entries())
    values.set(features.subarray(index * width, (index + 1) * width), row * width);
  const found = principalComponents(
    { values, count: order.length, width },
    mostComponents,
    randomStream(0, "discover/components").at(0),
  );
  const columns = Array.from({ length: found.kept }, () => new MeasuredNumbers(count));
  for (let start = 0; start < count; start += rowsAtOnce) {
    const many = Math.min(rowsAtOnce, count - start);
    const block = Float64Array.from(features.subarray(start * width, (start + many) * width));
    const places = project({ values: block, count: many, width }, found).values;
    for (const [k, column] of columns.entries())
      for (let i = 0; i < many; i++) column.values[start + i] = places[i * found.kept + k]!;
  }
  return columns.map((column, k) => ({
    column,
    property: {
      name: `component ${k + 1}`,
      of: "features",
      description: `place along principal component ${k + 1} of the network's features, which may show the object itself`,
    },
  }));
}

/** Rows are images in their order, so that features of other images would be believed without a word. */
function refuseOthers(dataset: Dataset, { title, dataset: rows }: AuditedFeatures): void {
  const words = ({ labels, classNames }: Pick<Dataset, "labels" | "classNames">, i: number) =>
    classNames[labels[i]!];
  const [expected, got] = [dataset.labels.length, rows.labels.length];
  const different = expected !== got || dataset.labels.some((_, i) => words(dataset, i) !== words(rows, i));
  if (!different) return;
  throw new CuelabError({
    kind: "input",
    what: "these are features of other images",
    where: title,
    expected: `${expected} rows, with the classes of the images in their order`,
    got: expected === got ? "the same number, with other classes" : `${got} rows`,
    todo: "make them anew: cuelab features extract --data <the same data> --model … --out F",
  });
}
