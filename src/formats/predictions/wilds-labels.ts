/** A table of WILDS' own as labels for prediction files: class, split and groups as WILDS means them. */

import { wildsLayoutOf } from "../wilds/index.ts";
import { cellText } from "./codebook.ts";
import type { PredictionTable, TableBatch } from "./table.ts";

/** The same table where it is none of theirs. */
export async function asWildsLabels(table: PredictionTable): Promise<PredictionTable> {
  const layout = wildsLayoutOf(table.columns);
  if (layout === undefined) return table;
  const { classNames, attributes, groups, overlapping } = layout;
  const columns = ["y", "split", ...attributes];
  const read = await layout.open(table.path);
  return {
    path: table.path,
    columns,
    ...(classNames && { classNames }),
    suggested: { ...(groups && { groups }), ...(overlapping && { overlapping }) },
    remarks: [],
    batches: async function* (wanted): AsyncGenerator<TableBatch> {
      const places = wanted.map((name) => columns.indexOf(name));
      const at = new Map(layout.columns.map((name, i) => [name, i]));
      let first = 1;
      for await (const batch of table.batches(layout.columns)) {
        const cells = wanted.map((): string[] => []);
        for (let row = 0; row < batch.count; row++) {
          const cell = (name: string) => cellText(batch.columns[at.get(name)!]![row]);
          const meant = read(cell, batch.first + row - 1);
          if (meant === undefined) continue;
          const all = [meant.label, meant.split, ...meant.values];
          for (const [i, place] of places.entries()) cells[i]!.push(all[place]!);
        }
        const count = cells[0]?.length ?? 0;
        yield { first, count, columns: cells };
        first += count;
      }
    },
  };
}
