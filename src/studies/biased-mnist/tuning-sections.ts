/** Tables and figures about how strong the bias is and how models are tuned. The paper prints no numbers for these. */

import type { Figure, Section, Table } from "../../core/section.ts";
import { comparedMethods } from "../compared-methods.ts";
import { linesFigure } from "../figures.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { trainedCell } from "../plateau.ts";
import { accuracyPoint } from "../summaries.ts";
import { chosenTable, tuningFigure, tuningTable } from "../tuning.ts";
import { tuningVariable, unbiasedWords, variableTitle } from "./variables.ts";

/** Fig. A7. */
export function strengthSection(cases: readonly MeasuredCase[]): Section {
  const values = distinctAt(cases, "pBias");
  return {
    name: "strength",
    heading: "How strong may the bias be? (Fig. A7)",
    text:
      `Unbiased accuracy (${unbiasedWords}) as the variables go with the class more and more closely in training; 0.1 would be no bias. ` +
      "Explicit methods are told the distractor shape. The paper draws 0.5 to 0.9, without numbers, and finds every " +
      "method falling.",
    tables: [tableBy(cases, "pBias", "fig-a7", "Unbiased accuracy by the strength of the bias, in per cent")],
    figures: [
      linesFigure(
        { name: "fig-a7", caption: "Unbiased accuracy as the bias grows" },
        {
          x: { title: "p_bias", values },
          y: { title: "unbiased accuracy" },
          points: cases
            .filter(({ runs }) => runs.length > 0)
            .map(({ method, at, runs }) => ({ series: method, x: at!.pBias!, ...accuracyPoint(runs) })),
        },
      ),
    ],
  };
}

/** Fig. A8 and Fig. 6. */
export function hyperparameterSection(cases: readonly MeasuredCase[]): Section {
  const methods = comparedMethods.map(({ label }) => label).filter((label) => hasMethod(cases, label));
  // Section 6.4 chooses among pairs with some weight decay.
  const chosenFrom = cases.filter(({ at }) => at!.weightDecay! > 0);
  return {
    name: "hyperparameters",
    heading: "How much hangs on tuning? (Fig. A8, Fig. 6)",
    text:
      "Every pair of learning rate and weight decay is a run of each seed; unbiased accuracy is as in the tables above. Fig. A8 draws a row and a column of them. Then one of " +
      "the pairs is chosen for each method by validation accuracy in which groups of class and distractor shape are " +
      "weighted by their training shares to the power α: −1 inverts the bias, 0 removes it, 1 is training's, 2 is " +
      "stronger still. The paper draws violins of test accuracies for CelebA (Fig. 6); this is the same for Biased MNIST.",
    tables: [gridTable(cases), tuningTable(chosenFrom, methods)],
    figures: [
      ...alongFigure(
        cases,
        { key: "rate", title: "learning rate" },
        { key: "weightDecay", title: "weight decay", paper: 1e-5 },
      ),
      ...alongFigure(
        cases,
        { key: "weightDecay", title: "weight decay" },
        { key: "rate", title: "learning rate", paper: 1e-3 },
      ),
      tuningFigure(chosenFrom, methods, {
        caption: `Test accuracy on majority and minority images of ${variableTitle(tuningVariable).toLowerCase()}`,
        halves: {
          majority: ({ cues }) => cues[tuningVariable]?.majority ?? null,
          minority: ({ cues }) => cues[tuningVariable]?.minority ?? null,
        },
      }),
    ],
  };
}

/** One half of Fig. A8: along one hyperparameter, the other held at the paper's value, or at its middle one of ours. */
function alongFigure(
  cases: readonly MeasuredCase[],
  along: { key: string; title: string },
  held: { key: string; title: string; paper: number },
): Figure[] {
  const others = distinctAt(cases, held.key);
  const value = others.includes(held.paper) ? held.paper : others[Math.floor(others.length / 2)];
  // No weight decay has no place on a logarithmic axis; the table has it.
  const shown = cases.filter(
    ({ at, runs }) => runs.length > 0 && at![held.key] === value && at![along.key]! > 0,
  );
  const values = distinctAt(shown, along.key);
  if (values.length < 2) return [];
  return [
    linesFigure(
      {
        name: `fig-a8-${along.key === "rate" ? "rate" : "weight-decay"}`,
        caption: `Unbiased accuracy by ${along.title}, with a ${held.title} of ${value}`,
      },
      {
        x: { title: along.title, log: true, values },
        y: { title: "unbiased accuracy" },
        points: shown.map(({ method, at, runs }) => ({
          series: method,
          x: at![along.key]!,
          ...accuracyPoint(runs),
        })),
      },
    ),
  ];
}

function gridTable(cases: readonly MeasuredCase[]): Table {
  return {
    name: "fig-a8",
    caption: "Unbiased accuracy by learning rate and weight decay, in per cent",
    columns: [
      { title: "Method" },
      { title: "Rate" },
      { title: "Weight decay" },
      { title: "Ours", better: "higher" },
    ],
    rows: cases.map((each) => ({
      source: "ours",
      cells: [each.method, String(each.at!.rate), String(each.at!.weightDecay), trainedCell(each)],
    })),
  };
}

/** Table A6, found again. */
export function searchSection(cases: readonly MeasuredCase[]): Section {
  return {
    name: "search",
    heading: "Which hyperparameters are best? (Table A6)",
    text:
      "The paper's search in two stages by unbiased validation accuracy, with the distractor shape as explicit variable. " +
      "Table A6 prints a rate of 0.001 and a weight decay of 0.00001 for every method.",
    tables: [chosenTable(cases)],
  };
}

/** A row a method, a column a value. */
function tableBy(cases: readonly MeasuredCase[], key: string, name: string, caption: string): Table {
  const values = distinctAt(cases, key);
  return {
    name,
    caption,
    columns: [
      { title: "Method" },
      ...values.map((value) => ({ title: `${key} ${value}`, better: "higher" as const })),
    ],
    rows: comparedMethods
      .filter(({ label }) => hasMethod(cases, label))
      .map(({ label }) => ({
        source: "ours",
        cells: [
          label,
          ...values.map((value) => {
            const found = cases.find(({ method, at }) => method === label && at?.[key] === value);
            return found ? trainedCell(found) : null;
          }),
        ],
      })),
  };
}

function hasMethod(cases: readonly MeasuredCase[], label: string): boolean {
  return cases.some(({ method, runs }) => method === label && runs.length > 0);
}

function distinctAt(cases: readonly MeasuredCase[], key: string): number[] {
  return [...new Set(cases.map(({ at }) => at![key]!))].sort((a, b) => a - b);
}
