/** The runs of the mole board: every method on every world, told nothing, one cue, or both. */

import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import type { MolesPreset } from "./presets.ts";
import { baselineLabel, type MoleRow, rowsNamed } from "./rows.ts";
import { ruledCase } from "./standings.ts";
import type { MoleWorld } from "./worlds.ts";

export function molesJobs({ worlds, rows, seeds }: MolesPreset): RunsJob[] {
  return worlds.map((world) => ({
    kind: "runs",
    name: world.name,
    title: `${world.title}: ${world.cues.join(" and ")}`,
    entries: rowsOf(world, rows).map((row) => entryOf(world, row)),
    seeds,
    cues: world.cues,
  }));
}

/** Those that can be made there. */
function rowsOf({ views }: MoleWorld, rows: MolesPreset["rows"]): MoleRow[] {
  return rowsNamed(rows).filter(({ byViews }) => byViews !== true || views !== undefined);
}

function entryOf(world: MoleWorld, row: MoleRow): StudyEntry {
  const { cues, data, preset, model, optimiser, schedule, batchSize, steps, augment = [] } = world;
  const told = row.told.map((place) => cues[place]!);
  const { case: own, run } = ruledCase({ ...row, told }, cues, baselineLabel);
  return {
    case: own,
    run: {
      data: { ...data, seed: "each" },
      model,
      method: {
        name: row.method,
        ...(preset && { preset }),
        ...(row.settings && { settings: row.settings(world) }),
        ...(told.length > 0 && { explicit: told }),
      },
      optimiser,
      ...(schedule && { schedule }),
      batchSize,
      steps,
      augment: [...augment, ...(row.augment ?? [])],
      ...run,
    },
  };
}
