/** The runs of the study of UrbanCars: rows of the paper's tables, each epoch chosen by several rules from one training. */

import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import { ruledCase } from "../moles/standings.ts";
import type { UrbanCarsPreset } from "./presets.ts";
import { baseline, type CarRow, cues, rows } from "./rows.ts";

export function urbanCarsJobs(preset: UrbanCarsPreset): RunsJob[] {
  const part = (name: string, title: string, isIn: (row: CarRow) => boolean): RunsJob => ({
    kind: "runs",
    name,
    title,
    entries: rows.filter((row) => isIn(row) && preset.has(row)).map((row) => entryOf(preset, row)),
    seeds: preset.seeds,
    cues,
  });
  return [
    part("untold", "Tables 3, 9, 11 and 12: methods that are told no cue", ({ told }) => told.length === 0),
    part(
      "told",
      "Table 5: methods that are told both cues, or one of them",
      ({ told, label }) => told.length > 0 || label === baseline,
    ),
  ];
}

function entryOf(preset: UrbanCarsPreset, row: CarRow): StudyEntry {
  const { method, settings = {}, augment = [], told, fewImages } = row;
  const { case: own, run } = ruledCase(row, cues, baseline);
  const length =
    fewImages === true && preset.fewImages !== undefined
      ? { epochs: preset.fewImages }
      : preset.steps !== undefined && { steps: preset.steps };
  return {
    case: own,
    run: {
      data: { name: "urban-cars", settings: preset.data, seed: "each" },
      model: preset.model,
      method: {
        name: method,
        preset: "urban-cars",
        settings,
        ...(told.length > 0 && { explicit: told }),
      },
      ...(preset.optimiser && { optimiser: preset.optimiser }),
      ...(preset.schedule && { schedule: preset.schedule }),
      ...length,
      batchSize: preset.batchSize,
      augment: ["flip", ...augment],
      ...run,
    },
  };
}
