/** What features cluster by, in sections; and their points as a table. */

import { pointColumns } from "../../core/own-columns.ts";
import { decimalCell, percentCell, type Section, type Table } from "../../core/section.ts";
import type { EmbeddingAnswer } from "./audit.ts";
import { embeddingChart } from "./charts.ts";

export function showEmbedding(answer: EmbeddingAnswer): Section[] {
  const { features, idPart, oodPart, report, labels, neighbours } = answer;
  const { points, components } = report;
  const drawn = report.id.picture.length > 0;
  const titles = [
    "by",
    `silhouette ${idPart}`,
    oodPart,
    ...(drawn ? [`in the picture ${idPart}`, oodPart] : []),
    `agreement of ${neighbours} nearest`,
    "95% interval over images",
    "by chance",
  ];
  return [
    {
      name: "embedding",
      heading: features,
      facts: [
        ["images", `${points.id} of ${idPart}, to which all is fitted, and ${points.ood} of ${oodPart}`],
        ["components", `${components.kept} hold ${percentCell(components.explained).text} of the variance`],
      ],
      tables: [
        {
          name: "clusters",
          caption: "",
          columns: titles.map((title) => ({ title })),
          rows: report.labels.map(({ name, silhouette: { id, ood }, agreement }) => ({
            cells: [
              name,
              decimalCell(id.components, 3),
              decimalCell(ood.components, 3),
              ...(drawn ? [decimalCell(id.picture, 3), decimalCell(ood.picture, 3)] : []),
              percentCell(agreement.share),
              `${(100 * agreement.interval.low).toFixed(1)} – ${percentCell(agreement.interval.high).text}`,
              percentCell(agreement.chance),
            ],
          })),
        },
      ],
      figures: drawn
        ? labels.map((column) => {
            const chart = embeddingChart(report, column, [idPart, oodPart]);
            return { name: column.name, caption: chart.description, draw: () => chart };
          })
        : [],
    },
  ];
}

/** A row an image, with its place in the picture. */
export function pointsTable({ report, labels }: EmbeddingAnswer): Table {
  const number = (value: number) => ({ value, text: String(value) });
  return {
    name: "points",
    caption: "",
    columns: [...pointColumns, ...labels.slice(1).map(({ name }) => name)].map((title) => ({ title })),
    rows: (["id", "ood"] as const).flatMap((part) =>
      report[part].indices.map((index, i) => ({
        cells: [
          number(index),
          part,
          ...(report[part].picture[i]?.map(number) ?? [null, null]),
          ...labels.map(({ values, valueNames }) => valueNames[values[index]!]!),
        ],
      })),
    ),
  };
}
