/** Batch size and rate, tuned without shortcuts as the paper did, which does not print what it chose. */

import { type Row, type Section, seedsCell } from "../../core/section.ts";
import type { MeasuredCase, RunsJob } from "../jobs/runs-job.ts";
import { entryOf } from "./entries.ts";
import type { DiagvibNetwork } from "./networks.ts";
import { type DiagvibPreset, factorsOf } from "./presets.ts";

export const tuningPart = "tuning";

/** Of weights, and a dataset sample that no report has. */
export const tuningSeed = 2;
const tuningSample = 910;

/** Every pair of values, by validation loss; the other parts go by the preset's own values, whatever comes out. */
export function tuningJob(preset: DiagvibPreset, networks: readonly DiagvibNetwork[]): RunsJob[] {
  if (preset.tuning === undefined) return [];
  const { rates, batchSizes } = preset.tuning;
  return [
    {
      kind: "runs",
      name: tuningPart,
      title: "Batch size and rate by validation loss without a shortcut (ZSO)",
      seeds: [tuningSeed],
      purpose: "tuning",
      cues: [],
      entries: networks.flatMap((network) =>
        factorsOf(preset).map((predict) =>
          entryOf(preset, { network, study: "ZSO", predict, sample: tuningSample }),
        ),
      ),
      search: {
        stages: [{ grid: { "optimiser.rate": [...rates], batchSize: [...batchSizes] } }],
        select: { by: "val-loss", groups: [] },
        seed: tuningSeed,
      },
    },
  ];
}

export function tuningSection(cases: readonly MeasuredCase[]): Section[] {
  const there = cases.filter(({ runs }) => runs.length > 0);
  if (there.length === 0) return [];
  return [
    {
      name: "tuning",
      heading: "Which batch size and rate does validation choose?",
      text: "As in the paper, without a shortcut, by the lowest validation loss; on a dataset sample and a seed of their own. What the paper chose is not printed. No other part is run with these values.",
      tables: [
        {
          name: "tuning",
          caption:
            "What the search chose for each network and predicted factor, and the accuracy in testing (ZSO)",
          columns: ["Network", "Predicted", "Rate", "Batch size", "Accuracy"].map((title) => ({ title })),
          rows: there.map(
            ({ method, about, chosen, runs }): Row => ({
              cells: [
                method,
                about!.predict!,
                String(chosen["optimiser.rate"]),
                String(chosen.batchSize),
                seedsCell(
                  runs.map(({ unbiased }) => unbiased),
                  runs[0]!.count,
                ),
              ],
            }),
          ),
        },
      ],
    },
  ];
}
