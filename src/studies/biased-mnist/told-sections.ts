/** What becomes of the variable that a method is told: its gap beside the others', and whether repetition brings it back. */

import { type Cell, decimalCell, type Row, type Section, seedsCell } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { allForms } from "../compared-methods.ts";
import { linesFigure } from "../figures.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { isTrained, trainedCell, untrained } from "../plateau.ts";
import { printed } from "../summaries.ts";
import { publishedToldGap, type ToldGap, toldGaps } from "./gaps.ts";
import { tuningVariable, variableTitle } from "./variables.ts";

export function toldSection(cases: readonly MeasuredCase[]): Section {
  const told = allForms.flatMap(({ label }) =>
    cases.filter(
      ({ method, explicit, runs }) => method === label && explicit.length === 1 && runs.length > 0,
    ),
  );
  return {
    name: "told",
    heading: "Is the told variable given up? (section 6.2)",
    text:
      "Gap of the one variable that a method is told, mean gap of the others but position, and the others' less its own: above " +
      "zero where the told variable is exploited less. Published gaps come from Table A4's rounded accuracies.",
    tables: [
      {
        name: "told",
        caption: "Gaps of told and other variables, in points of a hundred",
        columns: [
          { title: "Method" },
          { title: "Told" },
          ...["ours", "published"].flatMap((group) =>
            ["told", "others", "others less told"].map((title) => ({ title, group })),
          ),
        ],
        rows: told.map((each): Row => {
          const paper = publishedToldGap(each);
          return {
            cells: [
              each.method,
              variableTitle(each.explicit[0]!),
              ...gapCells(each),
              ...(paper
                ? [paper.own, paper.others, paper.others - paper.own].map((gap) => printed(100 * gap))
                : [null, null, null]),
            ],
          };
        }),
      },
    ],
  };
}

function gapCells(each: MeasuredCase): Cell[] {
  const gaps = toldGaps(each);
  const cell = (of: (gap: ToldGap) => number) => {
    const found = seedsCell(gaps.map(of));
    return found && (isTrained(each) ? found : { ...found, remark: untrained });
  };
  return [cell(({ own }) => own), cell(({ others }) => others), cell(({ own, others }) => others - own)];
}

/** Whether a method that draws all groups equally often learns the images of the rare ones by heart. */
export function repeatsSection(cases: readonly MeasuredCase[]): Section {
  const finished = cases.filter(({ runs }) => runs.length > 0);
  const name = ({ method, at }: MeasuredCase) => `${method}, ${at!.images!.toLocaleString("en")} images`;
  return {
    name: "repeats",
    heading: "Does the told variable come back with repetition?",
    text:
      "Group DRO and IRMv1 draw groups of class and told variable equally often, so that in a batch the variable says nothing of " +
      "the class; yet the paper has a gap of 26 and 34 points for it. Where the images of rare groups are drawn again and again, " +
      "they may be learned by heart, which would make the variable useful again. The same number of steps over few images and over " +
      "many tells: in both, an image of a rare group is drawn 0.9 ÷ (1 − p_bias) times an epoch.",
    tables: [
      {
        name: "repeats",
        caption: "Few images again and again, or many: unbiased accuracy and gaps in per cent",
        columns: [
          { title: "Method" },
          { title: "p_bias" },
          { title: "Images" },
          { title: "Each rare image is drawn" },
          { title: "Unbiased" },
          { title: "gap of the told variable" },
          { title: "others" },
          { title: "others less told" },
        ],
        rows: cases.map((each): Row => {
          const { pBias, images } = each.at!;
          const epochs = each.runs[0]?.validation.length ?? 0;
          return {
            cells: [
              each.method,
              decimalCell(pBias!, 1),
              images!.toLocaleString("en"),
              epochs === 0 ? null : `${Math.round((0.9 * epochs) / (1 - pBias!))} times`,
              trainedCell(each),
              ...(each.runs.length > 0 ? gapCells(each) : [null, null, null]),
            ],
          };
        }),
      },
    ],
    figures: [
      linesFigure(
        {
          name: "repeats",
          caption: `Share of validation predictions that follow the told ${variableTitle(tuningVariable).toLowerCase()}, by the share of the training`,
        },
        {
          x: { title: "share of the training", values: [0.2, 0.4, 0.6, 0.8, 1] },
          y: { title: "predictions that follow it" },
          points: finished.flatMap((each) => {
            const epochs = Math.max(...each.runs.map(({ follows }) => follows.length));
            return Array.from({ length: epochs }, (_, i) => i).flatMap((i) => {
              const shares = each.runs.flatMap(({ follows }) => follows[i]?.shares[tuningVariable] ?? []);
              return shares.length === 0
                ? []
                : [{ series: name(each), x: (i + 1) / epochs, y: mean(shares) }];
            });
          }),
        },
      ),
    ],
  };
}
