/** Splits that make a grid, every OOD accuracy on every ID accuracy, as one figure of small multiples. */

import { accuracyGrid } from "../../charts/accuracy-grid.ts";
import type { ChartSpec } from "../../charts/chart.ts";
import type { Scale } from "../../core/accuracy-scale.ts";
import type { AuditedSplit } from "./audit-line.ts";

export interface LineGrid {
  /** Columns of ID accuracies, by what tells them apart. */
  ids: readonly string[];
  oods: readonly string[];
  /** `splits[row][column]`: a row an OOD, a column an ID accuracy. */
  splits: readonly (readonly AuditedSplit[])[];
}

/** OOD accuracies that were fitted on the same two or more ID accuracies; subgroups of models make no grid. */
export function lineGrids(splits: readonly AuditedSplit[]): LineGrid[] {
  const byOod = new Map<string, AuditedSplit[]>();
  for (const split of splits) {
    const { ood, group } = split.report;
    if (Object.keys(group).length === 0) byOod.set(ood, [...(byOod.get(ood) ?? []), split]);
  }
  const grids = new Map<string, { ids: string[]; oods: string[]; splits: AuditedSplit[][] }>();
  for (const [ood, row] of byOod) {
    const ids = row.map(({ report }) => idName(report.id));
    const grid = grids.get(ids.join("\n")) ?? { ids, oods: [], splits: [] };
    grids.set(ids.join("\n"), grid);
    grid.oods.push(ood);
    grid.splits.push(row);
  }
  return [...grids.values()].filter(({ ids, oods }) => ids.length > 1 && oods.length > 1);
}

export function gridFigure({ ids, oods, splits }: LineGrid, { transform }: Scale): ChartSpec {
  const [home, abroad] = [shortNames(ids), shortNames(oods)];
  const models = splits[0]![0]!.report.n.toLocaleString("en");
  const named = (kind: string, place: string | undefined) =>
    `${kind} accuracy${place === undefined ? "" : ` in ${place}`}`;
  return accuracyGrid({
    description: `${oods.length} OOD accuracies, each on ${ids.length} ID accuracies, of ${models} models`,
    transform,
    title: `${named("OOD", abroad.place)} (rows) on ${named("ID", home.place)} (columns)`,
    subtitle: `${models} models, ${transform} scale`,
    columns: home.names,
    rows: abroad.names,
    panels: splits.map((row) => row.map(({ x, y, report }) => ({ x, y, fit: report }))),
  });
}

const meanOf = "mean of ";

function idName(id: readonly string[]): string {
  return id.length === 1 ? id[0]! : `${meanOf}${id.length}`;
}

/** `train class=0 …`: without the environment where all of them begin with it, which by itself is the average. */
function shortNames(names: readonly string[]): { place?: string; names: string[] } {
  const one = names.filter((name) => !name.startsWith(meanOf));
  const place = one[0]?.split(" ")[0];
  const inside = place !== undefined && one.every((name) => name === place || name.startsWith(`${place} `));
  if (!inside) return { names: [...names] };
  const short = (name: string) => (name.startsWith(`${place} `) ? name.slice(place.length + 1) : name);
  return { place, names: names.map((name) => (name === place ? "average" : short(name))) };
}
