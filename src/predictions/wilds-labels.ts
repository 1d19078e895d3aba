/** A table of WILDS' own as labels for prediction files: class, split and groups as WILDS means them. */

import { lookUp } from "../core/look-up.ts";
import { wildsLayoutOf } from "../layouts/wilds/index.ts";
import { MemoryColumn } from "../tables/memory-column.ts";
import { type TableBatch, textAt } from "../tables/table.ts";
import { cellText } from "./codebook.ts";
import type { PredictionTable } from "./table.ts";

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
    batches: async function* (wanted, options): AsyncGenerator<TableBatch> {
      const places = wanted.map(({ name }) => columns.indexOf(name));
      const made = wanted.map((request) => new MemoryColumn(request));
      const at = new Map(layout.columns.map((name, i) => [name, i]));
      const asked = layout.columns.map((name) => ({ name, as: "texts" as const }));
      let first = 1;
      for await (const batch of table.batches(asked, options)) {
        const cells = wanted.map((): string[] => []);
        for (let row = 0; row < batch.count; row++) {
          const cell = (name: string) => cellText(textAt(batch.columns[lookUp(at, name)]!, row));
          const meant = read(cell, batch.first + row - 1);
          if (meant === undefined) continue;
          const all = [meant.label, meant.split, ...meant.values];
          for (const [i, place] of places.entries()) cells[i]!.push(all[place]!);
        }
        const count = cells[0]?.length ?? 0;
        const start = first;
        yield { first, count, columns: cells.map((texts, i) => made[i]!.of(texts, start)) };
        first += count;
      }
    },
  };
}
