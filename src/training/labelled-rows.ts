/** Labels and attributes of some images, as the metrics count them. */

import type { DataColumns } from "../core/dataset.ts";

export function labelledRows(
  { labels, attributes }: Pick<DataColumns, "labels" | "attributes">,
  indices: Uint32Array,
  names: readonly string[],
) {
  return {
    labels: Uint16Array.from(indices, (i) => labels[i]!),
    attributes: Object.fromEntries(
      names.map((name) => {
        const { values, valueNames } = attributes[name]!;
        return [name, { values: Uint16Array.from(indices, (i) => values[i]!), valueNames }];
      }),
    ),
  };
}
