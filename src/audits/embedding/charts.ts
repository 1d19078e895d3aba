/** The pictures of an embedding: the two parts of the images side by side, by class and by each cue. */

import type { ChartSpec } from "../../charts/chart.ts";
import { coloursNamed } from "../../charts/named-colours.ts";
import { chartInk, seriesColours, seriesShapes } from "../../charts/style.ts";
import { mustBe } from "../../core/look-up.ts";
import { fixedText } from "../../core/words.ts";
import type { EmbeddedPart, EmbedLabels, EmbedReport } from "./embed.ts";

/** More values than these have no name in the legend that an eye could find again. */
const mostNamed = 20;

/** Of each picture, in dots. */
const side = 300;

/** One labelling, with what the parts are called: ID on the left, OOD on the right, on the same axes. */
export function embeddingChart(
  report: EmbedReport,
  labels: EmbedLabels,
  [idPart, oodPart]: readonly [string, string],
): ChartSpec {
  const named = labels.valueNames.length <= mostNamed;
  const points = [...pointsOf(report.id, labels, idPart), ...pointsOf(report.ood, labels, oodPart)];
  const present = labels.valueNames.filter((name) => points.some(({ series }) => series === name));
  const few = present.length <= seriesColours.length;
  const own = coloursNamed(present);
  const colours = own ?? (few ? present.map((_, i) => seriesColours[i]!) : undefined);
  const legend = named ? { columns: legendColumns(present) } : null;
  const axis = { title: null, labels: false, grid: false, domain: false };
  const found = mustBe(
    report.labels.find(({ name }) => name === labels.name),
    labels.name,
  );
  return {
    description:
      `UMAP of ${report.points.id} images of ${idPart} and ${report.points.ood} of ${oodPart} by ` +
      `${labels.name}; silhouette in the components ${number(found.silhouette.id.components)} and ` +
      `${number(found.silhouette.ood.components)}.`,
    title: `by ${labels.name}`,
    data: { values: points },
    facet: { column: { field: "part", type: "nominal", sort: [idPart, oodPart], header: { title: null } } },
    spec: {
      width: side,
      height: side,
      mark: {
        type: "point",
        filled: true,
        size: 14,
        opacity: 0.6,
        // A cue's own colour may be as dark as a dark page: the outline takes the page's ink.
        ...(own === undefined ? {} : { stroke: chartInk.quiet, strokeWidth: 0.5 }),
      },
      encoding: {
        x: { field: "x", type: "quantitative", axis, scale: { zero: false } },
        y: { field: "y", type: "quantitative", axis, scale: { zero: false } },
        color: {
          field: "series",
          type: "nominal",
          scale: {
            domain: present,
            ...(colours === undefined ? { scheme: "tableau20" } : { range: colours }),
          },
          legend,
        },
        ...(few
          ? {
              shape: {
                field: "series",
                type: "nominal",
                scale: { domain: present, range: present.map((_, i) => seriesShapes[i]!) },
                legend,
              },
            }
          : {}),
      },
    },
  } as unknown as ChartSpec;
}

/** As many in a row as the two pictures are wide: a letter has about seven dots, a symbol and the gap thirty. */
function legendColumns(names: readonly string[]): number {
  const widest = 7 * Math.max(...names.map(({ length }) => length)) + 30;
  return Math.max(1, Math.min(8, Math.floor((2 * side) / widest)));
}

function pointsOf({ indices, picture }: EmbeddedPart, { values, valueNames }: EmbedLabels, part: string) {
  return picture.map(([x, y], i) => ({ x, y, part, series: valueNames[values[indices[i]!]!]! }));
}

function number(value: number | null): string {
  return value === null ? "–" : fixedText(value, 2);
}
