/**
 * Whether a sweep keeps to the four recommendations of Shrestha et al. 2022 (section 7), told from its record and its runs: each
 * with yes, no or partly, and the numbers behind the word. What a record cannot tell is said, and counts as nothing.
 */

import type { PredictionsAbout } from "../../core/predictions-about.ts";
import { type Row, type Section, seedsCell, type Table } from "../../core/section.ts";
import { listText } from "../../core/words.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import { finishedSweep, type RecordedEntry } from "../../sweeps/sweep-record.ts";
import type { RunSpec } from "../../training/run-spec.ts";
import { measurePaperRun, paperMetrics } from "./paper-metrics.ts";
import { type PaperEntry, paperEntries } from "./paper-rows.ts";

type ProtocolVerdict = "yes" | "partly" | "no";

interface ProtocolAnswer {
  recommendation: string;
  verdict: ProtocolVerdict;
  /** The numbers that it rests on, a sentence each. */
  because: string[];
}

interface CueReliance {
  label: string;
  dataset: string;
  cue: string;
  /** Whether the method was given its labels. */
  told: boolean;
  /** Accuracy with the majority less that with the minority, a run each. */
  mmd: (number | null)[];
}

export interface ProtocolReport {
  sweep: string;
  answers: ProtocolAnswer[];
  cues: CueReliance[];
}

interface ProtocolEntry extends PaperEntry {
  recorded: RecordedEntry;
  spec: RunSpec | undefined;
  about: PredictionsAbout | undefined;
}

export async function protocolReport(
  folder: string,
  sweep: string,
  signal?: AbortSignal,
): Promise<ProtocolReport> {
  const { outcome } = await finishedSweep(folder, sweep);
  const rows = await paperEntries(folder, [sweep]);
  const entries = await Promise.all(
    rows.map(async (row, i): Promise<ProtocolEntry> => {
      const run = row.runs[0]?.run;
      const { about } = run === undefined ? {} : await openPredictions(run.folder);
      return { ...row, recorded: outcome.entries[i]!, spec: run?.spec as RunSpec | undefined, about };
    }),
  );
  const cues = await cueReliances(entries, signal);
  return {
    sweep,
    answers: [
      fairMethods(entries),
      controlledData(entries),
      bothKindsOfCues(entries, cues),
      toldSelection(entries),
    ],
    cues,
  };
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

const several = (n: number, one: string, more = `${one}s`) =>
  `${n.toLocaleString("en")} ${n === 1 ? one : more}`;

/** As few methods as one, beside a plain one, compare nothing with the state of the art. */
const fewMethods = 3;

function fairMethods(entries: readonly ProtocolEntry[]): ProtocolAnswer {
  const methods = distinct(entries.flatMap(({ spec }) => spec?.method.name ?? []));
  const differing: string[] = [];
  const checked: [string, (entry: ProtocolEntry) => unknown][] = [
    ["networks", ({ spec }) => JSON.stringify(spec?.model)],
    ["trials of the search", ({ trials }) => trials],
    ["seeds", ({ runs }) => runs.map(({ seed }) => seed).join()],
    ["rules that choose hyperparameters", ({ recorded }) => recorded.select?.rule],
  ];
  for (const dataset of distinct(entries.map((entry) => entry.dataset))) {
    const own = entries.filter((entry) => entry.dataset === dataset);
    for (const [what, of] of [...checked, ["steps", ({ steps }: ProtocolEntry) => steps] as const]) {
      const values = distinct(own.map(of));
      if (values.length > 1) differing.push(`${what} differ on ${dataset}`);
    }
  }
  const equal = differing.length === 0;
  return {
    recommendation: "Compare against multiple state-of-the-art methods under fair settings",
    verdict: methods.length < 2 ? "no" : methods.length >= fewMethods && equal ? "yes" : "partly",
    because: [
      `${several(methods.length, "method")}: ${methods.join(", ") || "none"}`,
      equal
        ? `network, trials (${distinct(entries.map(({ trials }) => trials)).join(", ")}), steps, seeds (${distinct(entries.map(({ runs }) => runs.length)).join(", ")}) and selection are the same for all entries of a dataset`
        : distinct(differing).join("; "),
      "whether these are the state of the art, the record cannot tell",
    ],
  };
}

function controlledData(entries: readonly ProtocolEntry[]): ProtocolAnswer {
  const datasets = distinct(entries.map(({ dataset }) => dataset)).map((name) => {
    const { spec, about } = entries.find((entry) => entry.dataset === name)!;
    return {
      name,
      isMade: spec?.data.name !== undefined,
      cues: cuesOf(about).map((cue) => biasOf(about!, cue)),
    };
  });
  const made = datasets.filter(({ isMade }) => isMade);
  const brought = datasets.filter(({ isMade }) => !isMade);
  const counts = distinct(made.map(({ cues }) => cues.length));
  const shares = made.flatMap(({ cues }) => cues.flatMap(({ share }) => share ?? []));
  const varies = counts.length > 1 || Math.max(...shares) - Math.min(...shares) >= leastDegree;
  const words = datasets.map(({ name, isMade, cues }) => {
    const told = cues.map(({ cue, share }) => (share === null ? cue : `${cue} ${wholePercent(share)}%`));
    const origin = isMade ? "made, with settings for its cues" : "brought from files";
    return `${name}: ${origin}, ${several(cues.length, "cue")}${told.length === 0 ? "" : ` (${told.join(", ")})`}`;
  });
  return {
    recommendation:
      "Test on datasets that enable control over the number and degrees of biases, including realistic datasets",
    verdict: made.length === 0 ? "no" : varies && brought.length > 0 ? "yes" : "partly",
    because: [
      ...words,
      ...(datasets.some(({ cues }) => cues.some(({ share }) => share !== null))
        ? ["per cent are training images whose cue has the value that is most frequent in their class"]
        : []),
      varies ? "number or degree of biases varies" : "neither number nor degree of biases varies",
      brought.length > 0
        ? "whether what was brought is realistic, the record cannot tell"
        : "no dataset was brought from files",
    ],
  };
}

/** Smaller differences of degree may be those of the draw. */
const leastDegree = 0.05;

const wholePercent = (share: number | null) => (share === null ? null : Math.round(100 * share));

/** How often training images have the value of a cue that goes most with their class; null where no counts are kept. */
function biasOf({ training }: PredictionsAbout, cue: string): { cue: string; share: number | null } {
  const at = training?.attributes.indexOf(cue) ?? -1;
  if (training === null || at < 0) return { cue, share: null };
  const sums = new Map<number, Map<number, number>>();
  let total = 0;
  for (const [i, label] of training.labels.entries()) {
    const [value, images] = [training.values[at]![i]!, training.images[i]!];
    const ofClass = sums.get(label) ?? new Map<number, number>();
    sums.set(label, ofClass.set(value, (ofClass.get(value) ?? 0) + images));
    total += images;
  }
  const most = [...sums.values()].reduce((sum, values) => sum + Math.max(...values.values()), 0);
  return { cue, share: total === 0 ? null : most / total };
}

function bothKindsOfCues(entries: readonly ProtocolEntry[], cues: readonly CueReliance[]): ProtocolAnswer {
  const told = cues.filter((one) => one.told);
  const withheld = told.filter(({ label, dataset }) =>
    cues.some((other) => !other.told && other.label === label && other.dataset === dataset),
  );
  const both = distinct(withheld.map(({ label, dataset }) => `${label} on ${dataset}`));
  const untold = entries.filter(
    ({ label, dataset }) => !told.some((one) => one.label === label && one.dataset === dataset),
  );
  return {
    recommendation: "Analyse generalisation to both explicit and implicit sources of bias",
    verdict: cues.length === 0 ? "no" : both.length > 0 && untold.length > 0 ? "yes" : "partly",
    because: [
      `${several(distinct(cues.map(({ dataset, cue }) => `${dataset} ${cue}`)).length, "cue is", "cues are")} measured for every entry`,
      both.length > 0
        ? `told of some cues and not of others: ${both.join(", ")}`
        : "no method is told of some cues while others are left implicit",
      untold.length > 0
        ? `told of none: ${untold.map(({ label, dataset }) => `${label} on ${dataset}`).join(", ")}`
        : "every method is told of cues",
    ],
  };
}

function toldSelection(entries: readonly ProtocolEntry[]): ProtocolAnswer {
  const rules = distinct(
    entries.flatMap(({ recorded, runs }) => [
      recorded.select?.rule ?? "no search",
      ...(recorded.otherwise ?? []).map(({ rule }) => rule),
      `epoch: ${runs[0]?.run.selection?.rule ?? "the last epoch"}`,
    ]),
  );
  const compared = entries.some(
    ({ recorded, label, dataset }) =>
      (recorded.otherwise ?? []).length > 0 ||
      entries.some(
        (other) =>
          other.label === label &&
          other.dataset !== dataset &&
          other.recorded.select?.rule !== recorded.select?.rule,
      ),
  );
  const shifts = distinct(
    entries.map(({ dataset, about }) => {
      const shifted = (name: string) => about?.splits.find((split) => split.name === name)?.shifted ?? false;
      const [val, test] = [shifted("val"), shifted("test")];
      const place = (out: boolean) => (out ? "out of distribution" : "in distribution");
      return val === test
        ? `${dataset}: validation and test images are both ${place(val)}`
        : `${dataset}: validation images are ${place(val)}, test images ${place(test)}`;
    }),
  );
  const flips = entries.flatMap(({ recorded }) =>
    (recorded.otherwise ?? []).map(({ point }) => JSON.stringify(point) !== JSON.stringify(recorded.chosen)),
  );
  return {
    recommendation:
      "Be forthcoming about whether the test distribution was used for model selection, and compare robustness to tuning distributions that differ from the test",
    verdict: compared ? "yes" : "partly",
    because: [
      "no rule looks at test images: all choose by validation images",
      `rules: ${rules.join("; ")}`,
      `labels for them: ${distinct(entries.map(({ selectionLabels }) => selectionLabels)).join("; ")}`,
      ...shifts,
      compared
        ? flips.length === 0
          ? "rules differ between datasets"
          : `other rules would have chosen another point in ${flips.filter(Boolean).length} of ${flips.length} cases`
        : "no other rule stands beside it: alsoSelect in the search asks some of the same trials",
    ],
  };
}

function cuesOf(about: PredictionsAbout | undefined): string[] {
  return [...(about?.attributes ?? [])].flatMap(([name, { role }]) => (role === "cue" ? [name] : []));
}

async function cueReliances(entries: readonly ProtocolEntry[], signal?: AbortSignal): Promise<CueReliance[]> {
  const found: CueReliance[] = [];
  for (const { label, dataset, runs, spec, about } of entries) {
    const names = cuesOf(about);
    const metrics = paperMetrics(
      names.map((cue) => `mmd:${cue}`),
      [],
    );
    const measured = [];
    for (const { run } of runs) measured.push(await measurePaperRun(run, metrics, signal));
    for (const cue of names)
      found.push({
        label,
        dataset,
        cue,
        told: spec?.method.explicit?.includes(cue) ?? false,
        mmd: measured.map(({ values }) => values.get(`mmd:${cue}`) ?? null),
      });
  }
  return found;
}

export function showProtocol({ answers, cues }: ProtocolReport): Section[] {
  const rows = cues.map(
    ({ label, dataset, cue, told, mmd }): Row => ({
      cells: [label, dataset, cue, told ? "explicit" : "implicit", seedsCell(mmd)],
    }),
  );
  const table: Table = {
    name: "cues",
    caption:
      "MMD: accuracy where the cue goes with the class less that where it does not, in points; 0 where it is not used; mean ± half of Student's 95% interval over seeds (n seeds)",
    columns: ["entry", "dataset", "cue", "told", "MMD"].map((title) => ({ title })),
    rows,
  };
  return [
    ...answers.map(({ recommendation, verdict, because }, i) => ({
      name: `recommendation-${i + 1}`,
      heading: `${i + 1}. ${recommendation}: ${verdict}`,
      text: because.map((line) => `– ${line}`).join("\n"),
    })),
    ...(rows.length === 0 ? [] : [{ name: "cues", heading: "Explicit and implicit cues", tables: [table] }]),
  ];
}

/** In one sentence. */
export function protocolSentence({ sweep, answers }: ProtocolReport): string {
  const count = (verdict: ProtocolVerdict) => answers.filter((answer) => answer.verdict === verdict).length;
  const said = [
    [count("yes"), (n: number) => `keeps ${n}`],
    [count("partly"), (n: number) => `keeps ${n} partly`],
    [count("no"), (n: number) => `does not keep ${n}`],
  ] as const;
  const kept = said.flatMap(([n, words]) => (n === 0 ? [] : [words(n)]));
  return `Of the four recommendations of Shrestha et al. 2022, the sweep ${sweep} ${listText(kept)}.`;
}
