/** What an audit of a model found, in sections. */

import { countCell, decimalCell, type Section, type Table, percentCell, pointsCell } from "../../core/section.ts";
import type { IntervalOf, MarkedAnswer, ModelAnswer } from "./answer.ts";
import { marksFigure, relianceFigure } from "./figures.ts";
import { flipGalleries } from "./gallery.ts";
import { small } from "./in-short.ts";
import { interventions } from "./interventions/index.ts";
import { verdictText } from "./verdict-words.ts";

export function showModel(answer: ModelAnswer): Section[] {
  const { variants, labelled, marked } = answer;
  return [
    {
      name: "reliance",
      heading: "What the model relies on",
      facts: facts(answer),
      figures: relianceFigure(variants, labelled),
      tables: [variantTable(answer)],
      remarks: remarks(answer),
    },
    ...(marked === undefined ? [] : [marksSection(marked, answer.settings.threshold)]),
    ...flipGalleries(answer),
    controlsSection(answer),
    ...notDoneSection(answer),
  ];
}

function facts({ model, data, images, among, classes, labelled, accuracy, settings }: ModelAnswer): NonNullable<Section["facts"]> {
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
      thing === null ? "not told" : "mask" in thing ? `in the mask "${thing.mask}"` : `in the box "${thing.box}"`,
    ],
  ];
}

function variantTable({ variants, labelled }: ModelAnswer): Table {
  const titles = [
    "intervention",
    "variant",
    "images",
    labelled ? "accuracy" : "agreement",
    "gap",
    "control's gap",
    "less control",
    "right → wrong",
    "wrong → right",
    "probability",
    "less control's",
    "says instead",
    "verdict",
  ];
  return {
    name: "interventions",
    caption:
      "Gaps in points with 95% intervals over images, not adjusted; probability is the mean of the right class, changed less plain",
    columns: titles.map((title) => ({ title })),
    rows: variants.map((one) => ({
      marked: one.verdict === "reliance",
      cells: [
        one.intervention,
        one.variant,
        countCell(one.images),
        percentCell(one.accuracy?.changed ?? null),
        intervalCell(one.gap),
        intervalCell(one.controlGap),
        intervalCell(one.lessControl),
        countCell(one.flips.lost),
        countCell(one.flips.won),
        pointsCell(one.probabilityChange),
        pointsCell(one.probabilityLessControl),
        one.pushesTo.map((to) => `${to.class} ${to.images} (control ${to.byControl})`).join(", "),
        verdictText(one),
      ],
    })),
  };
}

function intervalCell(interval: IntervalOf | null) {
  if (interval === null) return pointsCell(null);
  const [value, low, high] = [interval.value, interval.low, interval.high].map((end) => pointsCell(end).text);
  return { value: interval.value, text: `${value} (${low} to ${high})` };
}

function remarks({ settings, variants, labelled }: ModelAnswer): string[] {
  const { margin, alpha } = settings;
  const points = Number((100 * margin).toFixed(2));
  const partly = variants.filter(({ without }) => without > 0);
  return [
    `reliance: costs more than ${points} points both against the plain image and against its control; none: less than that against one of them ` +
      `(tests at ${alpha} with Holm's correction for the whole audit); fragile: as reliance, of changes that take no cue away`,
    "intervals are over images: they say nothing of another network trained alike",
    ...(labelled ? [] : ["without labels nothing is known of accuracy: a change of prediction counts as a loss"]),
    ...(partly.length === 0
      ? []
      : [
          `some images could not be changed, such as those without the main thing: ${[...new Set(partly.map(({ intervention }) => intervention))].join(", ")}`,
        ]),
  ];
}

const mostClasses = 20;

function marksSection(marked: MarkedAnswer, threshold: number): Section {
  const { classes, asked, marks } = marked;
  const titles = [
    "class",
    "mark",
    "probability",
    "gain",
    "less control",
    "gain in the class",
    "accuracy gap in the class",
    "p",
    "found",
  ];
  const shown = { rows: [...classes.keys()].slice(0, mostClasses), why: `the first ${mostClasses} of ${classes.length}` };
  return {
    name: "marks",
    heading: "Which classes marks speak for",
    text:
      `All ${classes.length} classes were looked at with all ${marks.length} marks, and none was asked for. p: how often as large a gain comes out of ` +
      "plain and marked images that change places at random, for the largest of all classes and marks. Found is a class that also gains more than " +
      `${Number((100 * threshold).toFixed(2))} points beyond the control, at the level of the whole audit.`,
    figures: marksFigure(marked),
    tables: [
      {
        name: "classes",
        caption: "Each class by the mark that it gains most by; probabilities and gains in points",
        columns: titles.map((title) => ({ title })),
        rows: classes.map((one) => ({
          marked: one.found,
          cells: [
            one.class,
            one.mark,
            percentCell(one.probability),
            pointsCell(one.gain),
            intervalCell(one.lessControl),
            pointsCell(one.gainInClass),
            pointsCell(one.accuracyGapInClass),
            { value: one.adjusted, text: small(one.adjusted) },
            one.found ? "yes" : "",
          ],
        })),
        ...(classes.length > mostClasses && { shown }),
      },
      ...(asked === undefined ? [] : [askedTable(asked)]),
    ],
  };
}

/** The columns of Table 1 of Li et al. 2023. */
function askedTable({ class: name, rows }: NonNullable<MarkedAnswer["asked"]>): Table {
  const titles = [
    "mark",
    "accuracy",
    "P(class)",
    "accuracy gap",
    "ΔP(class)",
    "accuracy gap in the class",
    "ΔP(class) in the class",
  ];
  return {
    name: "asked-class",
    caption: `What each mark does to ${name}`,
    columns: titles.map((title) => ({ title })),
    rows: rows.map((row) => ({
      cells: [
        row.mark,
        percentCell(row.accuracy),
        percentCell(row.probability),
        pointsCell(row.accuracyGap),
        pointsCell(row.gain),
        pointsCell(row.accuracyGapInClass),
        pointsCell(row.gainInClass),
      ],
    })),
  };
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
      ["margin", decimalCell(margin, 3).text],
      ["threshold of marks", decimalCell(threshold, 3).text],
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

