/** What came of a sweep, in sections. */

import { bestSentence, markMeaning } from "../core/best-sentence.ts";
import { type Cell, type Section, seedsCell, type Table } from "../core/section.ts";
import { leavesOf, sameImagesRemark } from "../core/spec-differences.ts";
import { markOf, notWorseThanBest, type SeedValue } from "../core/statistics/index.ts";
import { buildsOf, mixedBuilds } from "../runs/builds.ts";
import { learningCurves } from "../runs/learning-curves.ts";
import { describeSelection } from "../training/selection.ts";
import { tieWords } from "./choose-point.ts";
import { type EntryOutcome, eachSeed } from "./drive-sweep.ts";
import { failureWords } from "./failure-words.ts";
import type { RanSweep } from "./run-sweep.ts";
import { entryName } from "./sweep-entries.ts";

/** `note` says what numbers over seeds are. */
export function showSweep(ran: RanSweep, folder: string, note: string): Section[] {
  const { outcome, failed } = ran;
  const { entries } = outcome;
  const datasets = datasetsIn(entries);
  const built = mixedBuilds(
    entries.flatMap(({ runs }) =>
      runs.flatMap((run) => (run.state === "done" ? [buildsOf(run.folder) ?? []] : [])),
    ),
    "the runs of this sweep",
  );
  return [
    ...datasets.map((dataset) => datasetSection(dataset, entries, ran.seeds)),
    ...otherwiseSection(entries),
    {
      name: "how",
      heading: "",
      text: [
        ...ruleLines(entries),
        `accuracies in per cent, ${note}`,
        ...(entries.length > 1 && ran.seeds.length > 1 ? [`★ ${markMeaning}`] : []),
        ...sameImageLines(ran),
        ...tieLines(entries),
        ...failed.map(({ id, label, error }) => `failed: ${label} (${id}): ${failureWords(error)}`),
        ...(built === undefined ? [] : [`remark: ${built}`]),
        `runs in ${folder}`,
      ].join("\n"),
    },
  ];
}

/** The same for a page, with what a terminal cannot show; settings are last. */
export function sweepPage(
  ran: RanSweep,
  folder: string,
  note: string,
): { lead: string; sections: Section[] } {
  const { outcome, file } = ran;
  const [first, ...rest] = showSweep(ran, folder, note).map((section) => ({
    ...section,
    heading: section.name === "entries" ? "What was found" : section.heading,
    ...(section.text !== undefined && { text: pageText(section.text) }),
  }));
  const groups = outcome.entries.map((entry) => ({
    label: entryName({ label: entry.label, dataset: entry.dataset }),
    folders: entry.runs.filter(({ state }) => state === "done").map((run) => run.folder),
  }));
  const figures = learningCurves(groups);
  return {
    lead: sweepSentence(ran),
    sections: [
      first!,
      ...rest,
      ...(figures.length === 0 ? [] : [{ name: "curves", heading: "How it was learned", figures }]),
      {
        name: "settings",
        heading: "Settings",
        text: "The sweep's file, as it was read:",
        facts: settingsOf(file),
      },
    ],
  };
}

/** Paragraphs, in the words of a page; where the runs lie is nothing for those who are sent one. */
function pageText(text: string): string {
  const lines = text.split("\n").filter((line) => !line.startsWith("runs in "));
  return lines.join("\n\n").replace("★", "Bold:");
}

/** Of the slice that people ask for: test, or the last one. */
export function sweepSentence({ outcome, seeds }: Pick<RanSweep, "outcome" | "seeds">): string {
  return datasetsIn(outcome.entries)
    .map((dataset) => {
      const own = outcome.entries.filter((entry) => entry.dataset === dataset);
      const slices = slicesIn(own);
      const slice = slices.find((name) => name === "test") ?? slices.at(-1) ?? "test";
      const rows = own.map((entry) => ({ label: entry.label, values: seedValues(entry, slice, seeds) }));
      const sentence = bestSentence(rows, `accuracy (${slice})`);
      return dataset === undefined ? sentence : `${dataset}: ${sentence}`;
    })
    .join(" ");
}

function datasetsIn(entries: readonly EntryOutcome[]): (string | undefined)[] {
  return [...new Set(entries.map(({ dataset }) => dataset))];
}

function datasetSection(
  dataset: string | undefined,
  entries: readonly EntryOutcome[],
  seeds: readonly number[],
): Section {
  const own = entries.filter((entry) => entry.dataset === dataset);
  return {
    name: dataset === undefined ? "entries" : `entries-${dataset}`,
    heading: dataset ?? "",
    tables: [entriesTable(own, dataset, seeds)],
  };
}

function entriesTable(
  entries: readonly EntryOutcome[],
  dataset: string | undefined,
  seeds: readonly number[],
): Table {
  const slices = slicesIn(entries);
  const columns = slices.map((slice) => accuracyCells(entries, slice, seeds));
  return {
    name: dataset === undefined ? "entries" : `entries-${dataset}`,
    caption: "",
    columns: ["entry", "chosen", ...slices].map((title) => ({ title })),
    rows: entries.map((entry, i) => ({
      cells: [entry.label, chosenText(entry), ...columns.map((cells) => cells[i]!)],
    })),
  };
}

/** What other rules would have taken of the same trials, where any were asked. */
function otherwiseSection(entries: readonly EntryOutcome[]): Section[] {
  const rows = entries.flatMap(({ label, dataset, chosen, otherwise = [] }) =>
    otherwise.map(({ rule, labels, point, score }) => ({
      cells: [
        entryName({ label, dataset }),
        rule,
        labels,
        point === null ? null : pointText(point),
        score === null ? null : { value: score, text: score.toFixed(4) },
        point !== null && JSON.stringify(point) === JSON.stringify(chosen) ? "the same" : "another",
      ],
    })),
  );
  if (rows.length === 0) return [];
  const titles = ["entry", "rule", "labels that it takes", "would have chosen", "its score", "as above"];
  const columns = titles.map((title) => ({ title }));
  const caption = "of the same trials; what another rule would have chosen was not run with the other seeds";
  return [
    { name: "otherwise", heading: "Other rules", tables: [{ name: "otherwise", caption, columns, rows }] },
  ];
}

/** One line where all entries have one rule. */
function ruleLines(entries: readonly EntryOutcome[]): string[] {
  const said = new Map<string, string[]>();
  for (const { label, dataset, select } of entries) {
    if (select === null) continue;
    const { rule, labels } = describeSelection(select);
    const line = `hyperparameters chosen by ${rule}; labels needed for that: ${labels}`;
    said.set(line, [...(said.get(line) ?? []), entryName({ label, dataset })]);
  }
  const searched = entries.filter(({ select }) => select !== null).length;
  return [...said].map(([line, names]) =>
    names.length === searched ? line : `${names.join(", ")}: ${line}`,
  );
}

function tieLines(entries: readonly EntryOutcome[]): string[] {
  return entries.flatMap(({ label, dataset, select, ties }) =>
    ties.map(
      ({ stage, of, score, by }) =>
        `tie of ${of}: ${entryName({ label, dataset })}, stage ${stage}, ${of} points with a score of ${score.toFixed(4)}; taken by ${tieWords(by, select!)}`,
    ),
  );
}

function slicesIn(entries: readonly EntryOutcome[]): string[] {
  const named = entries.flatMap(({ runs }) =>
    runs.flatMap(({ results }) => (results?.accuracy ?? []).map(({ slice }) => slice)),
  );
  return [...new Set(named)];
}

function chosenText({ chosen, ties }: EntryOutcome): string {
  const tied = ties.map(({ of }) => `tie of ${of}`);
  return `${pointText(chosen)}${tied.length === 0 ? "" : ` (${tied.join(", ")})`}`;
}

function pointText(point: EntryOutcome["chosen"]): string {
  const texts = Object.entries(point).map(([path, value]) => `${path}=${String(value)}`);
  return texts.join(" ") || "–";
}

/** By entry; those that are not worse than the best are marked. */
function accuracyCells(entries: readonly EntryOutcome[], slice: string, seeds: readonly number[]): Cell[] {
  const values = entries.map((entry) => seedValues(entry, slice, seeds));
  const { rows } = notWorseThanBest(values, "higher");
  return values.map((known, i) => {
    const cell = seedsCell(known.map(({ value }) => value));
    const notWorse = markOf(rows[i]!);
    return cell === null || notWorse === undefined ? cell : { ...cell, notWorse };
  });
}

/** Of the seeds whose runs have it. */
function seedValues({ runs }: EntryOutcome, slice: string, seeds: readonly number[]): SeedValue[] {
  return runs.flatMap((run, i) => {
    const value = run.results?.accuracy.find((row) => row.slice === slice)?.accuracy;
    return typeof value === "number" ? [{ seed: seeds[i]!, value }] : [];
  });
}

/** Unless each seed draws its own, all have the same images, and what is told over seeds is of these images alone. */
function sameImageLines({ file, seeds }: Pick<RanSweep, "file" | "seeds">): string[] {
  const data = [file.base, ...file.runs, ...(file.datasets ?? [])].map(
    (part) => (part as { data?: unknown }).data,
  );
  const drawsAnew = data.some((one) => leavesOf(one).get("seed") === eachSeed);
  return drawsAnew || seeds.length < 2 ? [] : [sameImagesRemark];
}

/** An entry's settings, each by its path. */
function inWords(entry: unknown): string {
  return [...leavesOf(entry)].map(([path, value]) => `${path} ${value}`).join("; ");
}

function settingsOf(file: RanSweep["file"]): [string, string][] {
  return Object.entries(file).flatMap(([key, value]): [string, string][] =>
    Array.isArray(value) && value.some((item) => typeof item === "object")
      ? value.map((item, i) => [`${key} ${i + 1}`, inWords(item)])
      : [...leavesOf({ [key]: value })],
  );
}
