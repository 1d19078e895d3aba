/** Beyond the paper: methods against shortcuts on generalisation opportunities, against the usual training. */

import { type Row, type Section, seedsCell, type Table } from "../../core/section.ts";
import { effectOutcomes } from "../../core/statistics/index.ts";
import { factors } from "../../published/eulig-2021.ts";
import { budgetTable } from "../budget-table.ts";
import { labelsSpelled } from "../compared-methods.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { methodDifferences } from "./beyond-findings.ts";
import { type DiagvibNumbers, valuesOf } from "./numbers.ts";
import { baseline, comparedMethods, methodStudies } from "./rows.ts";

/** From five on, means of samples are no longer called preliminary. */
const enoughSamples = 5;

export function methodsSection(
  numbers: DiagvibNumbers,
  cases: readonly MeasuredCase[],
  margin: number,
): Section[] {
  if (numbers.rows.length === 0) return [];
  const samples = new Set(cases.flatMap(({ at, runs }) => (runs.length > 0 ? [at!.sample!] : []))).size;
  const preliminary = samples < enoughSamples;
  const shown = comparedMethods.filter(({ label }) => numbers.rows.includes(label));
  return [
    {
      name: "methods",
      heading: `Does a method take opportunities better than the usual training?${preliminary ? " (preliminary)" : ""}`,
      text:
        `Beyond the paper. Methods with their default settings, told the cue where the table says so, on CGO-1 and FGO-10 with the same network, ` +
        `dataset samples, images and first weights${preliminary ? `; ${samples === 1 ? "one sample is" : `${samples} samples are`} preliminary` : ""}. FAAvg and FAMin are over the cues of a factor that were measured. ` +
        "Methods are not compared on ZGO, where nothing tells the cue from the class. " +
        `${labelsSpelled(shown.map(({ label, name }) => ({ label, method: name })))}.`,
      tables: [
        ...methodStudies.map((study) => methodTable(numbers, study, margin)),
        budgetTable("methods-budget", cases),
      ],
    },
  ];
}

function methodTable(numbers: DiagvibNumbers, study: string, margin: number): Table {
  const predicted = factors.filter((factor) =>
    numbers.rows.some((row) => numbers.cues(row, study, factor).length > 0),
  );
  const compared = comparedMethods.filter(
    ({ label }) => label !== baseline.label && methodDifferences(numbers, label, study).length > 0,
  );
  const outcomes = effectOutcomes(
    compared.map(({ label }) => ({
      values: valuesOf(methodDifferences(numbers, label, study)),
      expected: "above" as const,
    })),
    { margin: margin / 100 },
  );
  const verdicts = {
    seen: "better",
    contradicted: "worse",
    equivalent: "equal",
    "cannot be told": "cannot be told",
  };
  return {
    name: `methods-${study.toLowerCase()}`,
    caption: `${study}: mean per-class accuracy on combinations that break the pattern, in per cent, mean over dataset samples with Student's interval. Verdicts on the mean over pairs less that of ${baseline.label} within each sample, adjusted by Holm over the methods of this table, equal at a margin of ${margin} points`,
    columns: [
      { title: "Method" },
      { title: "Told" },
      ...predicted.flatMap((group) => [
        ...cuesOf(numbers, study, group).map((cue) => ({ title: `with ${cue}`, group })),
        { title: "FAAvg", group },
        { title: "FAMin", group },
      ]),
      { title: `less ${baseline.label}` },
      { title: "verdict" },
    ],
    rows: comparedMethods
      .filter(({ label }) => numbers.rows.includes(label))
      .map(({ label, told }): Row => {
        const place = compared.findIndex((each) => each.label === label);
        return {
          cells: [
            label,
            told ? "the cue" : "nothing",
            ...predicted.flatMap((factor) => {
              const samples = numbers.aggregates(label, study, factor);
              return [
                ...cuesOf(numbers, study, factor).map((cue) =>
                  seedsCell(valuesOf(numbers.accuracies(label, study, factor, cue))),
                ),
                seedsCell(samples.map(({ average }) => average)),
                seedsCell(samples.map(({ minimum }) => minimum)),
              ];
            }),
            seedsCell(place < 0 ? [] : valuesOf(methodDifferences(numbers, label, study))),
            place < 0 ? null : verdicts[outcomes[place]!.outcome],
          ],
        };
      }),
  };
}

/** Of all rows together, so that columns are the same for each. */
function cuesOf(numbers: DiagvibNumbers, study: string, predict: (typeof factors)[number]) {
  return factors.filter((cue) => numbers.rows.some((row) => numbers.cues(row, study, predict).includes(cue)));
}
