/** What each method was given and what it cost, for tables of methods with equal budgets. */

import { decimalCell, type Row, type Table } from "../core/section.ts";
import { mean } from "../core/statistics/index.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";

/** A row a method; `told` names what stands in `explicit`. */
export function budgetTable(
  name: string,
  cases: readonly MeasuredCase[],
  told: (cue: string) => string = (cue) => cue,
): Table {
  const methods = [...new Set(cases.filter(({ runs }) => runs.length > 0).map(({ method }) => method))];
  return {
    name,
    caption: "What each method had: settings are published ones, and nothing was tried",
    columns: [
      { title: "Method" },
      { title: "Labels in training" },
      { title: "Labels in selection" },
      { title: "Trials" },
      { title: "Epochs" },
      { title: "Core seconds a run" },
    ],
    rows: methods.map((method): Row => {
      const own = cases.filter((each) => each.method === method);
      const runs = own.flatMap((each) => each.runs);
      const lists = own.map(({ explicit }) => explicit.map(told).join(" and "));
      const cues = [...new Set(lists)].filter((list) => list !== "");
      const seconds = runs.flatMap(({ coreSeconds }) => coreSeconds ?? []);
      return {
        cells: [
          method,
          ["class", ...(cues.length > 0 ? [cues.join(" or ")] : [])].join(", "),
          [...new Set(runs.map(({ chosen }) => chosen.labels))].join("; "),
          "0",
          [...new Set(runs.map(({ validation }) => validation.length))].join(", "),
          seconds.length === 0 ? null : decimalCell(mean(seconds), 0),
        ],
      };
    }),
  };
}
