/** What an audit of a model found, in sections. */

import {
  countCell,
  decimalCell,
  percentCell,
  pointsCell,
  type Section,
  type Table,
} from "../../core/section.ts";
import type { ModelAnswer } from "./answer.ts";
import { relianceFigure } from "./figures.ts";
import { flipGalleries } from "./gallery.ts";
import { pointsText } from "./in-short.ts";
import { interventions } from "./interventions/index.ts";
import { intervalCell, marksSection } from "./show-marks.ts";
import { verdictText } from "./verdict-words.ts";

export function showModel(answer: ModelAnswer): Section[] {
  const { variants, labelled, marked } = answer;
  return [
    {
      name: "reliance",
      heading: "What the model relies on",
      facts: facts(answer),
      figures: relianceFigure(variants, labelled),
      remarks: remarks(answer),
    },
    { name: "changes", heading: "Every change", tables: [variantTable(answer)] },
    ...(marked === undefined ? [] : [marksSection(marked, answer.settings.threshold)]),
    ...flipGalleries(answer),
    controlsSection(answer),
    ...notDoneSection(answer),
  ];
}

function facts({
  model,
  data,
  images,
  among,
  classes,
  labelled,
  accuracy,
  settings,
}: ModelAnswer): NonNullable<Section["facts"]> {
  const { thing, split, seed } = settings;
  return [
    ["model", `${model}, ${classes.toLocaleString("en")} classes`],
    [
      "images",
      `${images.toLocaleString("en")} of ${among.toLocaleString("en")}, ${data}${split === null ? "" : `, ${split}`}; seed ${seed}`,
    ],
    [
      "right is",
      labelled
        ? `what the labels say: ${percentCell(accuracy).text} of plain images`
        : "what the model says of the plain image",
    ],
    [
      "the main thing",
      thing === null
        ? "not told"
        : "mask" in thing
          ? `in the mask "${thing.mask}"`
          : `in the box "${thing.box}"`,
    ],
  ];
}

function variantTable({ variants, labelled }: ModelAnswer): Table {
  const titles = [
    "change",
    "images",
    labelled ? "accuracy" : "agreement",
    "gap",
    "less control",
    "lost / won",
    "probability",
    "says instead",
    "verdict",
  ];
  return {
    name: "changes",
    caption:
      "Gaps in points with 95% intervals over images, not adjusted; lost: images right before and wrong after, won: the other way; probability: " +
      "mean change of the right class's, less the control's; says instead: images, in brackets by the control",
    columns: titles.map((title) => ({ title })),
    rows: variants.map((one) => ({
      marked: one.verdict === "reliance",
      cells: [
        `${one.intervention}: ${one.variant}`,
        countCell(one.images),
        percentCell(one.accuracy?.changed ?? null),
        intervalCell(one.gap),
        intervalCell(one.lessControl),
        `${one.flips.lost} / ${one.flips.won}`,
        pointsCell(one.probabilityLessControl),
        one.pushesTo.map((to) => `${to.class} ${to.images} (${to.byControl})`).join(", "),
        verdictText(one),
      ],
    })),
  };
}

function remarks({ settings, variants, labelled, namesAssumed }: ModelAnswer): string[] {
  const { margin, alpha } = settings;
  const points = Number((100 * margin).toFixed(2));
  const never = variants.filter(({ images }) => images === 0);
  const partly = variants.filter(({ images, without }) => images > 0 && without > 0);
  const namesOf = (some: typeof variants) => [...new Set(some.map(({ intervention }) => intervention))];
  return [
    `reliance: costs more than ${points} points both against the plain image and against its control; none: less than that against one of them ` +
      `(tests at ${alpha} with Holm's correction for the whole audit); fragile: as reliance, of changes that take no cue away`,
    "intervals are over images: they say nothing of another network trained alike",
    ...(namesAssumed
      ? [
          "nobody says what the model's classes are called: they are taken to be the data's, in their order, and nothing here holds if they are others",
        ]
      : []),
    ...(labelled
      ? []
      : ["without labels nothing is known of accuracy: a change of prediction counts as a loss"]),
    ...(partly.length === 0
      ? []
      : [
          `some images could not be changed, such as those without the main thing: ${namesOf(partly).join(", ")}`,
        ]),
    ...(never.length === 0
      ? []
      : [
          `no image could be changed, such as where no two are of one class, whose parts a control exchanges: ${namesOf(never).join(", ")}`,
        ]),
  ];
}

function controlsSection({ variants, settings }: ModelAnswer): Section {
  const names = new Set(variants.map(({ intervention }) => intervention));
  const { margin, threshold, alpha, flips } = settings;
  return {
    name: "controls",
    heading: "What was changed, and by what it is controlled",
    tables: [
      {
        name: "controls",
        caption: "A control changes as many pixels without the cue",
        columns: [{ title: "intervention" }, { title: "changes" }, { title: "control" }],
        rows: [...names].map((name) => {
          const { description, control } = interventions.get(name);
          return { cells: [name, description, control] };
        }),
      },
    ],
    facts: [
      ["margin", pointsText(margin)],
      ["threshold of marks", pointsText(threshold)],
      ["level", decimalCell(alpha, 3).text],
      ["rearrangements", countCell(flips).text],
    ],
  };
}

function notDoneSection({ notDone }: ModelAnswer): Section[] {
  if (notDone.length === 0) return [];
  return [
    {
      name: "not-done",
      heading: "What was not done",
      facts: notDone.map(({ intervention, why }) => [intervention, why]),
    },
  ];
}
