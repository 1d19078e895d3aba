/** What tiny classifiers reach, as a table and a chart. */

import { dotChart } from "../../charts/dot-chart.ts";
import { countCell, percentCell, type Section } from "../../core/section.ts";
import type { DiscoverAnswer } from "./answer.ts";

export function classifierSection({ classifiers }: DiscoverAnswer): Section {
  return {
    name: "classifiers",
    heading: "What tiny classifiers reach without seeing the object",
    tables: [
      {
        name: "classifiers",
        caption:
          "Accuracy, mean over classes, on images that were not learnt from; marked: better than guessing, with its whole interval",
        columns: ["sees", "accuracy", "from", "to", "guessing", "images"].map((title) => ({
          title,
        })),
        rows: classifiers.map(({ name, accuracy, low, high, guessing, images }) => ({
          cells: [name, ...[accuracy, low, high, guessing].map(percentCell), countCell(images)],
          marked: low > guessing,
        })),
      },
    ],
    figures:
      classifiers.length === 0
        ? []
        : [
            {
              name: "tiny-classifiers",
              caption: "Accuracy of tiny classifiers with 95% intervals; the line is guessing",
              draw: () =>
                dotChart({
                  description: classifiers
                    .map(({ name, accuracy }) => `${name}: ${percentCell(accuracy).text}`)
                    .join("; "),
                  value: { title: "accuracy, mean over classes", domain: [0, 1] },
                  reference: { value: classifiers[0]!.guessing, label: "guessing" },
                  points: classifiers.map(({ name, accuracy, low, high }) => ({
                    row: name,
                    series: "accuracy",
                    value: accuracy,
                    low,
                    high,
                  })),
                  width: 420,
                }),
            },
          ],
    remarks: [
      classifiers.map(({ name, description }) => `${name}: ${description}`).join("; "),
      "ridge regression, five-fold, with images that belong together in one fold; the centre alone may see the object itself",
    ],
  };
}
