/** What came of a sweep, in sections. */

import { type Cell, type Section, seedsCell } from "../core/section.ts";
import { describeSelection } from "../training/selection.ts";
import type { EntryOutcome, SweepOutcome } from "./drive-sweep.ts";
import type { RanSweep } from "./run-sweep.ts";

/** `note` says what numbers over seeds are. */
export function showSweep({ outcome, failed }: RanSweep, folder: string, note: string): Section[] {
  const { select, entries } = outcome;
  const slices = slicesIn(outcome);
  const rule = select === null ? undefined : describeSelection(select);
  return [
    {
      name: "entries",
      heading: "",
      tables: [
        {
          name: "entries",
          caption: "",
          columns: [
            { title: "entry" },
            { title: "chosen" },
            ...slices.map((title) => ({ title, better: "higher" as const })),
          ],
          rows: entries.map((entry) => ({
            cells: [entry.label, chosenText(entry), ...slices.map((slice) => accuracyCell(entry, slice))],
          })),
        },
      ],
    },
    {
      name: "how",
      heading: "",
      text: [
        ...(rule ? [`hyperparameters chosen by ${rule.rule}; labels needed for that: ${rule.labels}`] : []),
        `accuracies in per cent, ${note}`,
        ...failed.map(({ id, label, error }) => `failed: ${label} (${id}): ${error?.message ?? "unknown"}`),
        `runs in ${folder}`,
      ].join("\n"),
    },
  ];
}

function slicesIn({ entries }: SweepOutcome): string[] {
  const named = entries.flatMap(({ runs }) =>
    runs.flatMap(({ results }) => (results?.accuracy ?? []).map(({ slice }) => slice)),
  );
  return [...new Set(named)];
}

function chosenText({ chosen }: EntryOutcome): string {
  const texts = Object.entries(chosen).map(([path, value]) => `${path}=${String(value)}`);
  return texts.join(" ") || "–";
}

function accuracyCell({ runs }: EntryOutcome, slice: string): Cell {
  return seedsCell(runs.map(({ results }) => results?.accuracy.find((row) => row.slice === slice)?.accuracy));
}
