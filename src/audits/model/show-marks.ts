/** Which classes marks speak for, as a section. */

import { percentCell, pointsCell, type Section, type Table } from "../../core/section.ts";
import type { IntervalOf, MarkedAnswer } from "./answer.ts";
import { marksFigure } from "./figures.ts";
import { pointsText, small } from "./in-short.ts";

const mostClasses = 20;

export function marksSection(marked: MarkedAnswer, threshold: number): Section {
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
  const shown = {
    rows: [...classes.keys()].slice(0, mostClasses),
    why: `the first ${mostClasses} of ${classes.length}`,
  };
  return {
    name: "marks",
    heading: "Which classes marks speak for",
    text:
      `All ${classes.length} classes were looked at with all ${marks.length} marks, and none was asked for. p: how often as large a gain comes out of ` +
      "plain and marked images that change places at random, for the largest of all classes and marks. Found is a class that also gains more than " +
      `${pointsText(threshold)} beyond the control, at the level of the whole audit.`,
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

export function intervalCell(interval: IntervalOf | null) {
  if (interval === null) return pointsCell(null);
  const [value, low, high] = [interval.value, interval.low, interval.high].map((end) => pointsCell(end).text);
  return { value: interval.value, text: `${value} (${low} to ${high})` };
}
