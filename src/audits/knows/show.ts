/** What features know and the head uses: tables, and the figure that tells both side by side. */

import { decimalCell, percentCell, pointsCell, type Section } from "../../core/section.ts";
import { fixedText } from "../../core/words.ts";
import type { KnowsAnswer } from "./audit.ts";
import type { CellEstimate } from "./cells.ts";
import { knowsChart } from "./chart.ts";

export function showKnows(answer: KnowsAnswer): Section[] {
  const { features, images, class: own, cues, accuracy, margin, remarks } = answer;
  const count = (n: number) => n.toLocaleString("en");
  const probes = [{ name: "class", ...own }, ...cues];
  const withUse = cues.filter(({ use }) => use !== undefined);
  return [
    {
      name: "knows",
      heading: features,
      facts: [
        [
          "images",
          `${count(images.fit)} to fit probes, ${count(images.tune)} to tune them, ${count(images.report)} that all numbers are of`,
        ],
        ...(accuracy === undefined
          ? []
          : [
              [
                "the network's own head",
                `${percentCell(accuracy.value).text} (${interval(accuracy, 100)}%), combinations of class and cues counting the same`,
              ] as const,
            ]),
        ...remarks.map((remark) => ["remark", remark] as const),
      ],
      tables: [
        {
          name: "known",
          caption:
            "What a linear layer reads, of images that it has not seen. Combinations of all else count the same, so that a cue is read within classes and the class whatever the cues. Control: the same with shuffled values. p by these, Holm over all rows.",
          columns: [
            "",
            "accuracy",
            "95% over images",
            "by chance",
            "controls, mean",
            "controls, most",
            "p",
            "read",
          ].map((title) => ({ title })),
          rows: probes.map(({ name, probe: { accuracy: read, chance, controls }, decodable }) => ({
            cells: [
              name,
              percentCell(read.value),
              `${interval(read, 100)}%`,
              percentCell(chance),
              percentCell(controls.mean),
              percentCell(controls.most),
              decimalCell(decodable.p, 3),
              decodable.is ? "yes" : "no",
            ],
          })),
        },
        ...(withUse.length === 0
          ? []
          : [
              {
                name: "used",
                caption: `What the network's own head does with it. Moves: how far it shifts the logit of the class that it goes with, within classes and all other cues${own.moves === undefined ? "" : `; the class itself shifts its own by ${own.moves.value.toFixed(2)} (${interval(own.moves, 1)})`}. Gap: accuracy where the cue goes with the class, less where it does not; then the same with the cue's direction taken out of the features. Control: the largest fall by directions of shuffled values. Used: all of it, beyond chance (Holm) and a margin of ${pointsCell(margin).text}.`,
                columns: [
                  "",
                  "moves",
                  "95%",
                  "gap",
                  "95%",
                  "without it",
                  "change, 95%",
                  "controls fall by",
                  "accuracy",
                  "without it",
                  "used",
                ].map((title) => ({ title })),
                rows: withUse.map(({ name, use }) => ({
                  cells: [
                    name,
                    decimalCell(use!.moves.value, 2),
                    interval(use!.moves, 1),
                    pointsCell(use!.gap.value),
                    interval(use!.gap, 100),
                    pointsCell(use!.without.value),
                    `${interval(use!.change, 100)}`,
                    pointsCell(use!.controls.least),
                    percentCell(use!.accuracy.value),
                    percentCell(use!.accuracyWithout.value),
                    use!.verdict,
                  ],
                  marked: use!.verdict === "used",
                })),
              },
            ]),
      ],
      figures: [
        {
          name: "knows-and-asks",
          caption: knowsChart(answer).description,
          draw: () => knowsChart(answer),
        },
      ],
    },
  ];
}

function interval({ low, high }: CellEstimate, scale: number): string {
  const digits = scale === 100 ? 1 : 2;
  return `${fixedText(scale * low, digits)} ${low < 0 ? "to" : "–"} ${fixedText(scale * high, digits)}`;
}
