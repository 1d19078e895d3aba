/** `cuelab study`: the papers' experiments, from runs to tables, figures and findings. */

import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { z } from "zod";
import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { writePage } from "../../formats/write-picture.ts";
import { writeWhole } from "../../formats/write-whole.ts";
import { RunFinder } from "../../protocol/sweep/run-finder.ts";
import { type PoolRun, RunPool } from "../../protocol/sweep/run-pool.ts";
import { measureStudy } from "../../reports/study/measure.ts";
import {
  type StudyContext,
  type StudyFiles,
  studyFiles,
  studyJson,
} from "../../reports/study/study-pages.ts";
import { studies } from "../../studies/index.ts";
import { checkStudy, countPartRuns, type PartOutcome } from "../../studies/run-study.ts";
import { type PresetName, presetNames, type Study, type StudyPlan } from "../../studies/study.ts";
import {
  addOutputOptions,
  addPoolOptions,
  collect,
  list,
  type OutputOptions,
  type PoolOptions,
} from "../options.ts";
import { lineOf, PoolProgress } from "../pool-progress.ts";
import type { Session } from "../program.ts";
import { quoted } from "../shell-words.ts";
import { studyPage } from "../study-page.ts";
import { textTable } from "../text-table.ts";

interface ChoiceOptions extends OutputOptions {
  preset: PresetName;
  out?: string;
  parts?: string[];
  set: string[];
}

type RunOptions = ChoiceOptions & PoolOptions;

export function addStudy(program: Command, session: Session): void {
  const study = program
    .command("study")
    .description("the papers' experiments, ours beside the published numbers");
  addList(study, session);
  addShow(study, session);
  const run = addChoice(
    study.command("run <study>").description("make the runs that are missing, then the report"),
  );
  addOutputOptions(addPoolOptions(run))
    .addHelpText(
      "after",
      `
What is finished is never run again: the same command goes on after Ctrl-C, a crash or kill -9, and a larger choice of
--parts uses what a smaller one has made. The folder then holds report.html, report.md, tables/ (CSV, LaTeX),
figures/ (SVG, PNG), study.json with every number, and runs/. If runs failed, the exit code is 4.

Examples:
  $ cuelab study run biased-mnist --preset quick
  $ cuelab study run biased-mnist --preset day --parts methods,growing --out studies/day
  $ cuelab study run biased-mnist --preset smoke --json`,
    )
    .action((name: string, options: RunOptions) => runStudy(name, options, session));
  const report = addChoice(
    study.command("report <study>").description("the report of what is finished so far; nothing is run"),
  );
  addOutputOptions(report)
    .addHelpText("after", "\nExample:\n  $ cuelab study report biased-mnist --preset day")
    .action((name: string, options: ChoiceOptions) => reportStudy(name, options, session));
}

function addChoice(command: Command): Command {
  return command
    .addOption(
      new Option("--preset <size>", "how large, see 'study show'").choices(presetNames).default("quick"),
    )
    .option("--out <folder>", "where everything goes (default: studies/<study>-<preset>)")
    .option("--parts <names>", "only these, by commas; see 'study show'", list)
    .addOption(
      collect("--set <key=value>", "what a study needs, such as a folder of images; see 'study show'"),
    );
}

function addList(study: Command, { console }: Session): void {
  addOutputOptions(study.command("list").description("every study, its paper and its question")).action(
    ({ json }: OutputOptions) => {
      if (json) {
        console.json(
          studies.entries.map(({ name, title, paper, question }) => ({ name, title, paper, question })),
        );
        return;
      }
      console.print(
        textTable(
          ["study", "paper", "title"],
          studies.entries.map(({ name, paper, title }) => [name, paper, title]),
        ),
      );
    },
  );
}

function addShow(study: Command, { console }: Session): void {
  const command = study
    .command("show <study>")
    .description("its question, its presets and what they can show, its parts and their runs");
  addOutputOptions(command).action((name: string, { json }: OutputOptions) => {
    const found = studies.get(name);
    const given = Object.fromEntries(Object.keys(found.needs).map((key) => [key, "."]));
    const presets = presetNames.map((preset) => ({
      preset,
      ...found.presets[preset],
      parts: found.plan(preset, given).parts.map((part) => ({
        name: part.name,
        title: part.title,
        runs: countPartRuns(part),
      })),
    }));
    if (json) {
      const { title, paper, question, needs } = found;
      console.json({ name, title, paper, question, needs, presets: presets.map(cardOnly) });
      return;
    }
    console.print(showPage(found, presets));
  });
}

interface ShownPreset {
  preset: PresetName;
  reduces: string;
  shows: string;
  cost: string;
  parts: readonly { name: string; title: string; runs: number }[];
}

function cardOnly({ preset, reduces, shows, cost, parts }: ShownPreset): ShownPreset {
  return { preset, reduces, shows, cost, parts };
}

function showPage({ name, title, paper, question, needs }: Study, presets: readonly ShownPreset[]): string {
  const parts = [
    ...new Map(presets.flatMap((preset) => preset.parts).map((part) => [part.name, part])).values(),
  ];
  return [
    `${title} (${paper})`,
    question,
    ...Object.entries(needs).map(([key, what]) => `needs --set ${key}=…: ${what}`),
    ...presets.flatMap(({ preset, reduces, shows, cost }) => [
      "",
      `${preset}`,
      `  smaller than the paper: ${reduces}`,
      `  can show: ${shows}`,
      `  takes: ${cost}`,
    ]),
    "",
    "runs of each part at most; parts share runs:",
    textTable(
      ["part", ...presetNames, "what it is"],
      parts.map((part) => [
        part.name,
        ...presets.map((preset) => String(preset.parts.find((own) => own.name === part.name)?.runs ?? "–")),
        part.title,
      ]),
    ),
    "",
    `next: cuelab study run ${name} --preset quick${Object.keys(needs)
      .map((key) => ` --set ${key}=…`)
      .join("")}`,
  ].join("\n");
}

interface Chosen {
  study: Study;
  plan: StudyPlan;
  folder: string;
  /** The same choice in words that can be typed. */
  words: string;
}

async function choose(name: string, { preset, out, parts, set }: ChoiceOptions): Promise<Chosen> {
  const study = studies.get(name);
  const plan = study.plan(preset, neededOf(study, set));
  for (const part of parts ?? []) {
    if (plan.parts.some((known) => known.name === part)) continue;
    throw new CuelabError({
      kind: "usage",
      what: `the study has no part "${part}"`,
      where: "--parts",
      expected: `one of: ${plan.parts.map((known) => known.name).join(", ")}`,
    });
  }
  const chosen = parts ? plan.parts.filter((part) => parts.includes(part.name)) : plan.parts;
  const folder = resolve(out ?? join("studies", `${study.name}-${preset}`));
  const words = [
    `${study.name} --preset ${preset}`,
    ...(parts ? [`--parts ${parts.join(",")}`] : []),
    ...set.map((assignment) => `--set ${quoted(assignment)}`),
    ...(out === undefined ? [] : [`--out ${quoted(out)}`]),
  ].join(" ");
  await refuseOtherStudy(folder, study.name, preset);
  return { study, plan: { ...plan, parts: chosen }, folder, words };
}

/** A folder belongs to one study and preset: another's report would replace it. */
async function refuseOtherStudy(folder: string, name: string, preset: PresetName): Promise<void> {
  const path = join(folder, "study.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const isSame = (found: { study?: unknown; preset?: unknown }) =>
    found.study === name && found.preset === preset;
  if (isSame(parsedOr(text, {}))) return;
  throw new CuelabError({
    kind: "usage",
    what: "the folder holds something else, or another study or preset",
    where: path,
    expected: `study ${name}, preset ${preset}`,
    todo: "give another --out",
  });
}

function parsedOr<Value>(text: string, otherwise: Value): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return otherwise;
  }
}

function neededOf({ name, needs }: Study, set: readonly string[]): Record<string, string> {
  if (set.length > 0 && Object.keys(needs).length === 0)
    throw new CuelabError({
      kind: "usage",
      what: `the study ${name} takes no settings`,
      got: `--set ${set[0]}`,
    });
  const schema = z.object(Object.fromEntries(Object.keys(needs).map((key) => [key, z.string().optional()])));
  const given = parseAssignments(schema, set) as Record<string, string>;
  for (const [key, what] of Object.entries(needs)) {
    if (given[key] !== undefined) continue;
    throw new CuelabError({
      kind: "usage",
      what: `the study ${name} needs "${key}"`,
      expected: what,
      todo: `cuelab study run ${name} --set ${key}=…`,
    });
  }
  return given;
}

export async function runStudy(name: string, options: RunOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const chosen = await choose(name, options);
  const runsFolder = join(chosen.folder, "runs");
  if (options.resume && !existsSync(runsFolder)) {
    throw new CuelabError({
      kind: "usage",
      what: "there is no study to go on with",
      where: chosen.folder,
      todo: "check --out and --preset, or leave --resume away to begin one",
    });
  }
  const checked = await checkStudy(chosen.plan.parts);
  const progress = new PoolProgress({
    console,
    quiet: options.quiet,
    total: checked.total,
    workers: options.workers,
  });
  const pool = new RunPool({
    folder: runsFolder,
    workers: options.workers,
    signal,
    checkpointSeconds: options.checkpointSeconds,
    onChange: () => progress.update(pool.runs),
  });
  let outcomes: PartOutcome[];
  try {
    outcomes = await checked.run(pool);
  } catch (cause) {
    if (signal.aborted)
      console.note(
        `saved; the same command goes on from here, and 'cuelab study report ${chosen.words}' shows what there is`,
      );
    throw cause;
  } finally {
    progress.clear();
  }
  await writeReport(chosen, outcomes, pool.runs, options, session);
  if (pool.runs.some(({ state }) => state === "failed")) finishWith(4);
}

async function reportStudy(name: string, options: ChoiceOptions, session: Session): Promise<void> {
  const chosen = await choose(name, options);
  const folder = join(chosen.folder, "runs");
  const nothing = new CuelabError({
    kind: "input",
    what: "no run of the study is finished",
    where: chosen.folder,
    todo: `cuelab study run ${chosen.words}`,
  });
  if (!existsSync(folder)) throw nothing;
  const finder = new RunFinder(folder);
  const outcomes = await (await checkStudy(chosen.plan.parts)).run(finder);
  const runs = [...finder.runs.values()];
  if (!runs.some(({ state }) => state === "done")) throw nothing;
  await writeReport(chosen, outcomes, runs, options, session);
}

async function writeReport(
  { study, plan, folder, words }: Chosen,
  outcomes: readonly PartOutcome[],
  runs: readonly PoolRun[],
  { preset, json, quiet }: ChoiceOptions,
  { console, signal }: Session,
): Promise<void> {
  const done = runs.filter(({ state }) => state === "done").length;
  const progress = quiet ? undefined : console.progress("measuring", done, "runs");
  const measured = await measureStudy(
    outcomes,
    plan.cues,
    (count) => progress?.update(Math.min(count, done)),
    signal,
  );
  progress?.finish();
  const context: StudyContext = {
    study,
    preset,
    plan,
    measured,
    runs: { done, total: runs.length },
    command: `npx cuelab study run ${words}`,
  };
  await writeFiles(folder, await studyFiles(context));
  const report = study.report(measured, plan);
  const failed = runs.filter(({ state }) => state === "failed");
  if (json) {
    const failures = failed.map(({ id, label, error }) => ({
      id,
      label,
      error: error?.message ?? "unknown",
    }));
    console.json({ folder, failed: failures, ...studyJson(context, report) });
    return;
  }
  console.print(studyPage(context, report));
  for (const run of failed) console.print(lineOf(run));
  const page = join(folder, "report.html");
  const near = relative(".", page);
  console.print(`\nreport   ${near.startsWith("..") ? page : near}`);
}

/** What a former report had and this one has not would pass for part of it. */
async function writeFiles(folder: string, files: StudyFiles): Promise<void> {
  for (const [file, content] of files) {
    const path = join(folder, file);
    await (file.endsWith(".html") ? writePage(path, String(content)) : writeWhole(path, content));
  }
  for (const kind of ["tables", "figures"]) {
    const names = await readdir(join(folder, kind)).catch(() => []);
    for (const name of names) if (!files.has(`${kind}/${name}`)) await rm(join(folder, kind, name));
  }
}
