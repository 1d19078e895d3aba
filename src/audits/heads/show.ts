/** A sweep of heads in words and tables. */

import { dotChart } from "../../charts/dot-chart.ts";
import { countCell, decimalCell, type NumberCell, percentCell, type Section } from "../../core/section.ts";
import type { SeedMean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import type { HeadsAnswer } from "./audit.ts";

export function headsInShort({ heads, chosen, best, images }: HeadsAnswer): string[] {
  const own = chosen.find(({ method }) => method === best)!;
  const others = chosen
    .filter(({ method }) => method !== best)
    .map(({ method, worst }) => `${method} ${percentText(worst.mean)}`);
  return [
    `Of ${heads.length.toLocaleString("en")} heads, ${best} with an L2 penalty of ${own.l2} was chosen. It is right on ${percentText(own.worst.mean)} of its worst group${others.length > 0 ? ` (${others.join(", ")})` : ""}, of ${images.report.toLocaleString("en")} images that nothing was fitted to, tuned or chosen by.`,
  ];
}

export function showHeads({ features, groups, images, heads, chosen, best }: HeadsAnswer): Section[] {
  const count = (n: number) => n.toLocaleString("en");
  return [
    {
      name: "heads",
      heading: features,
      facts: [
        ["heads", count(heads.length)],
        ["groups", groups.join("; ")],
        [
          "images",
          `${count(images.fit)} to fit, ${count(images.tune)} to tune penalties, ${count(images.choose)} to choose a method, ${count(images.report)} to tell of; no image is in two`,
        ],
      ],
      tables: [
        {
          name: "chosen",
          caption:
            "Of each method the penalty that its worst group likes best on the images for tuning. 95% by Student's t over draws, where a method draws; the images are the same for all. The method with the best worst group on the images for choosing is marked.",
          columns: [
            "method",
            "L2 penalty",
            "draws",
            "worst group, choosing",
            "worst group, told of",
            "95%",
            "mean of groups, told of",
            "95%",
          ].map((title) => ({ title })),
          rows: chosen.map(({ method, l2, choose, worst, mean, report }) => ({
            cells: [
              method,
              penaltyCell(l2),
              countCell(report.length),
              percentCell(choose.mean),
              percentCell(worst.mean),
              halfOf(worst),
              percentCell(mean.mean),
              halfOf(mean),
            ],
            marked: method === best,
          })),
        },
        {
          name: "tried",
          caption: "Every head, on images that it was not fitted to",
          columns: [
            "method",
            "L2 penalty",
            "draw",
            "objective",
            "worst group, tuning",
            "worst group, choosing",
          ].map((title) => ({ title })),
          rows: heads.map(({ method, l2, seed, objective, tune, choose }) => ({
            cells: [
              method,
              penaltyCell(l2),
              countCell(seed),
              decimalCell(objective, 5),
              percentCell(tune.worst),
              percentCell(choose.worst),
            ],
          })),
          shown: { rows: [...heads.keys()].slice(0, 20), why: `the first 20 of ${count(heads.length)}` },
        },
      ],
      figures: [
        {
          name: "groups",
          caption:
            "Accuracy of each group by the chosen head of each method, on images that nothing was fitted to, tuned or chosen by.",
          draw: () =>
            dotChart({
              description: spoken(groups, chosen),
              value: { title: "accuracy", domain: [0, 1] },
              points: chosen.flatMap(({ method, report }) =>
                groups.map((row, group) => ({
                  row,
                  series: method,
                  value: groupMean(report, group),
                })),
              ),
            }),
        },
      ],
    },
  ];
}

/** Penalties are powers: each in as few digits as say it. */
function penaltyCell(l2: number): NumberCell {
  return { value: l2, text: String(l2) };
}

function groupMean(report: HeadsAnswer["chosen"][number]["report"], group: number): number {
  return report.reduce((sum, each) => sum + each.groups[group]! / report.length, 0);
}

function spoken(groups: readonly string[], chosen: HeadsAnswer["chosen"]): string {
  const rows = groups.map(
    (name, group) =>
      `${name} ${chosen.map(({ method, report }) => `${percentText(groupMean(report, group))} by ${method}`).join(", ")}`,
  );
  return `Accuracy of each group by method: ${rows.join("; ")}`;
}

const halfOf = ({ low, high }: SeedMean) =>
  low === undefined || high === undefined ? "–" : `${percentText(low)} – ${percentText(high)}`;
