/** From a study's finished runs to numbers: each run's predictions, measured the way its case asks. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { evaluatePredictions } from "../../audits/predictions/evaluate-predictions.ts";
import { CuelabError } from "../../core/errors.ts";
import { columnWords } from "../../core/group-words.ts";
import { mean } from "../../core/statistics/index.ts";
import { readCoreTime, timeFile } from "../../runs/core-time.ts";
import { type HistoryRow, preferencePrefix, readHistory } from "../../runs/learning-curves.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { readRunManifest, vouchedJson } from "../../runs/run-manifest.ts";
import { runPictures } from "../../runs/run-pictures.ts";
import { readMeasurements } from "../../training/measurements.ts";
import type { RunResults } from "../../training/results.ts";
import type { JobShop } from "./job.ts";
import type { CaseOutcome } from "./runs.ts";
import type { MeasuredCase, MeasuredGroup, MeasuredRun, Measures, RunsJob, StudyCase } from "./runs-job.ts";
import { RunsShop } from "./runs-shop.ts";

/** More groups than these are nothing to look at one by one. */
const mostGroups = 40;

type MeasuredRunData = Omit<MeasuredRun, "seed" | "scores">;

export async function measureCases(
  outcomes: readonly CaseOutcome[],
  { cues }: RunsJob,
  shop: JobShop,
): Promise<MeasuredCase[]> {
  const runs = RunsShop.of(shop);
  const all = runs.runs().filter(({ state }) => state === "done").length;
  const measure = async (folder: string, id: string, of: StudyCase): Promise<MeasuredRunData> => {
    const key = JSON.stringify([id, of.groupings, of.by, cues]);
    let measured = runs.measured.get(key);
    if (measured === undefined) {
      measured = await measureRun(folder, id, of, cues, shop.signal);
      runs.measured.set(key, measured);
      shop.onWork?.("measuring", Math.min(runs.measured.size, all), all, "runs");
    }
    return measured;
  };
  const measured: MeasuredCase[] = [];
  for (const outcome of outcomes) measured.push(await measureCase(outcome, measure));
  return measured;
}

async function measureCase(
  { case: each, chosen, runs }: CaseOutcome,
  measure: (folder: string, id: string, of: StudyCase) => Promise<MeasuredRunData>,
): Promise<MeasuredCase> {
  const measured: MeasuredRun[] = [];
  const failures: string[] = [];
  for (const { seed, run, scores } of runs) {
    if (run.state === "failed") failures.push(reasonOf(run.error));
    if (run.state !== "done") continue;
    measured.push({ ...(await measure(run.folder, run.id, each)), seed, scores });
  }
  return { ...each, chosen, runs: measured, failures };
}

function reasonOf(error: Error | undefined): string {
  return error instanceof CuelabError ? error.parts.what : (error?.message ?? "unknown");
}

/** Every epoch that the run has kept; rules that chose the same one share what is measured of it. */
export async function measureRun(
  folder: string,
  id: string,
  of: Pick<StudyCase, "groupings" | "by">,
  cues: readonly string[],
  signal: AbortSignal,
): Promise<MeasuredRunData> {
  const { files } = readRunManifest(folder);
  const {
    epoch,
    selection,
    also = [],
  } = vouchedJson(folder, runFiles.results, files) as unknown as RunResults;
  const measured = new Map<string, Promise<Omit<Measures, "chosen">>>();
  const measuresOf = async (kept: Pick<RunResults, "epoch" | "selection">, predictions: string) => {
    const known = measured.get(predictions) ?? measurePredictions(predictions, of, cues, signal);
    measured.set(predictions, known);
    return { chosen: { epoch: kept.epoch, ...kept.selection }, ...(await known) };
  };
  const own = await measuresOf({ epoch, selection }, folder);
  const further: Measures[] = [];
  for (const kept of also) {
    const name = kept.files.predictions;
    further.push(await measuresOf(kept, name === runFiles.predictions ? folder : join(folder, name)));
  }
  const lately = await latelyOf(folder, own.groups);
  const { coreSeconds = null } = (await readCoreTime(join(folder, timeFile))) ?? {};
  const pictures = runPictures(folder);
  return {
    id,
    ...own,
    also: further,
    ...courseOf(folder),
    coreSeconds,
    ...(pictures.length > 0 && { pictures }),
    lately,
  };
}

/** Of the stage whose network is kept, which is the last. */
export function courseOf(folder: string): Pick<MeasuredRun, "follows" | "validation" | "epochsBefore"> {
  const all = readHistory(folder);
  const rows = all.filter(({ stage }) => stage === all.at(-1)!.stage);
  return {
    follows: followsOf(rows),
    epochsBefore: all.length - rows.length,
    validation: rows.flatMap(({ numbers }) => numbers.val_accuracy ?? []),
  };
}

function followsOf(rows: readonly HistoryRow[]): MeasuredRun["follows"] {
  return rows.flatMap(({ epoch, numbers }) => {
    const shares = Object.entries(numbers).flatMap(([name, share]): [string, number][] =>
      name.startsWith(preferencePrefix) && share !== null
        ? [[name.slice(preferencePrefix.length), share]]
        : [],
    );
    return shares.length === 0 ? [] : [{ epoch, shares: Object.fromEntries(shares) }];
  });
}

/** Empty where nothing was measured on the way, or not by the groups that the case has. */
async function latelyOf(folder: string, groups: readonly MeasuredGroup[]): Promise<MeasuredGroup[]> {
  const path = join(folder, runFiles.checkpoints);
  if (!existsSync(path)) return [];
  const steps = await readMeasurements(path);
  return groups.flatMap((group) => {
    const parts = Object.entries({ class: group.class ?? "", ...group.values });
    const slice = ["test", ...parts.map((part) => columnWords(part).join("="))].join(" ");
    const values = steps.flatMap(({ slices }) => slices.find((each) => each.slice === slice)?.accuracy ?? []);
    return values.length === 0 ? [] : [{ ...group, accuracy: mean(values) }];
  });
}

async function measurePredictions(
  table: string,
  { groupings, by }: Pick<StudyCase, "groupings" | "by">,
  cues: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Measures, "chosen">> {
  const reportBy = (groups: string[]) =>
    evaluatePredictions({ tables: [table], split: "test", cues, groups, alphas: [], signal });
  const reports = [];
  for (const attributes of groupings) reports.push(await reportBy(["class", ...attributes]));
  const [first] = reports as [(typeof reports)[0]];
  return {
    count: first.n,
    unbiased: mean(reports.map(({ accuracy }) => accuracy.meanPerGroup ?? Number.NaN)),
    samples: first.accuracy.samples ?? Number.NaN,
    cues: Object.fromEntries(
      Object.entries(first.cues).map(([name, { majority, minority, mmd }]) => [
        name,
        { majority, minority, mmd },
      ]),
    ),
    groups: first.groups.length > mostGroups ? [] : groupsOf(first),
    ...(by && { by: groupsOf(await reportBy([...by])) }),
    gaps: first.gaps && {
      inDistribution: first.gaps.inDistribution,
      cells: first.gaps.cells.map(({ uncommon, accuracy, gap }) => ({ uncommon, accuracy, gap })),
    },
  };
}

function groupsOf({ groups }: Awaited<ReturnType<typeof evaluatePredictions>>): MeasuredGroup[] {
  return groups.map(({ n, accuracy, ...group }) => ({
    class: group.class,
    values: group.values,
    count: n,
    accuracy,
  }));
}
