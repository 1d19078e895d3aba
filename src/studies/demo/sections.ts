/** The demo's report in sections: what was seen, what each shortcut costs, what curing one did to the other, how to go on. */

import { moleMatrix } from "../../audits/moles/figures.ts";
import { showMoles } from "../../audits/moles/show.ts";
import type { Dataset } from "../../core/dataset.ts";
import {
  type Cell,
  type Figure,
  percentCell,
  pointsCell,
  type Section,
  type Table,
} from "../../core/section.ts";
import { listText } from "../../core/words.ts";
import { dotsFigure } from "../figures.ts";
import { isUntrained } from "./findings.ts";
import type { DemoGap, DemoRun, ImageEstimate } from "./measure.ts";
import { groupGalleries, viewGallery } from "./pictures.ts";
import { type DemoChoice, demoBase } from "./plan.ts";

type DemoRuns = readonly [DemoRun, ...DemoRun[]];

export function pictureSection(dataset: Dataset): Section {
  return {
    name: "pictures",
    heading: "What they saw",
    text: dataset.provenance.description,
    galleries: [...groupGalleries(dataset), viewGallery(dataset)],
  };
}

export function gapSection(runs: DemoRuns): Section & { text: string } {
  return {
    name: "gaps",
    heading: "What each shortcut costs them",
    text:
      "I.D. accuracy is that on test images weighted as training has them: 19 of 20 backgrounds are of the car's world, and so are 19 of 20 " +
      "objects. A gap is the accuracy where a shortcut misleads, less that. Who does not lean on it has none.",
    tables: [gapTable(runs)],
    figures: [gapFigure(runs)],
  };
}

/** Only where there is something to judge. */
export function moleSections(runs: DemoRuns): Section[] {
  const [baseline, ...others] = runs;
  if (isUntrained(baseline)) return [];
  const judged = others.flatMap(({ label, told, judged }) =>
    judged === null ? [] : [{ name: nameOf({ label, told }), judged }],
  );
  return [
    {
      name: "moles",
      heading: "What curing one did to the other",
      text: "Beside the standard model each gap has a verdict. Points above zero: the gap shrank.",
      figures: [moleMatrix("curing", "Curing", judged)],
    },
    ...judged.map(
      ({ name, judged: own }, i): Section => ({
        ...showMoles(own),
        name: `moles-${i + 1}`,
        heading: `${name}, beside the standard model`,
      }),
    ),
  ];
}

function nameOf({ label, told }: Pick<DemoRun, "label" | "told">): string {
  return told.length === 0 ? label : `${label}, told ${listText(told)}`;
}

function gapTable(runs: DemoRuns): Table {
  const [{ gaps }] = runs;
  return {
    name: "gaps",
    caption:
      "I.D. accuracy and gaps in points, with 95% intervals over the test images: one seed, so nothing is known of others",
    columns: ["misleading", ...runs.map(nameOf)].map((title) => ({ title })),
    rows: [
      {
        cells: [
          "none (I.D. accuracy)",
          ...runs.map(({ inDistribution }) => estimateCell(inDistribution, percentCell)),
        ],
      },
      ...gaps.map(({ cues }, i) => ({
        cells: [gapName({ cues }), ...runs.map((run) => estimateCell(run.gaps[i]!, pointsCell))],
      })),
    ],
  };
}

function estimateCell({ value, low, high }: ImageEstimate, shown: (share: number) => { text: string }): Cell {
  return { value, text: `${shown(value).text} (${shown(low).text} to ${shown(high).text})` };
}

function gapName({ cues }: Pick<DemoGap, "cues">): string {
  return cues.join(" + ");
}

function gapFigure(runs: DemoRuns): Figure {
  return dotsFigure(
    {
      name: "gaps",
      caption: "Gap of each shortcut, and of both together, with 95% intervals over the test images",
    },
    {
      value: { title: "accuracy where it misleads, less I.D. accuracy" },
      reference: { value: 0, label: "no gap" },
      points: runs.flatMap((run) =>
        run.gaps.map(({ value, low, high, ...gap }) => ({
          row: gapName(gap),
          series: nameOf(run),
          value,
          low,
          high,
        })),
      ),
    },
  );
}

export function madeSection(runs: DemoRuns, choice: DemoChoice, version: string): Section {
  const { data, model, epochs, batchSize, optimiser, schedule, augment } = demoBase(choice);
  const options = Object.entries(model.options).map(([name, value]) => `${name} ${value}`);
  return {
    name: "made",
    heading: "How it was made",
    facts: [
      ...runs.map(({ label, does, id }) => [label, `${does}; runs/${id}`] as const),
      ["Images", `${data.name}, ${assignmentsOf(data.settings).join(", ")}, seed ${data.seed}`],
      ["Network", `${model.name} with ${listText(options)}`],
      [
        "Training",
        `${epochs} ${epochs === 1 ? "epoch" : "epochs"} in batches of ${batchSize}, ${listText(augment)}, ${optimiser.name}, rate ${optimiser.rate} falling along a ` +
          `${schedule.name}, seed ${choice.seed}; the last epoch is kept, so nothing was chosen`,
      ],
      ["Program", `cuelab ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`],
    ],
  };
}

/** `{ count: { train: 5 } }` → `count.train=5`. */
export function assignmentsOf(settings: object, prefix = ""): string[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? assignmentsOf(value, `${prefix}${key}.`)
      : [`${prefix}${key}=${String(value)}`],
  );
}
