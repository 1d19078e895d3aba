/** `cuelab study`: the papers' experiments, from runs to tables, figures and findings. */

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { fillFolder } from "../../disk/fill-folder.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { textTable } from "../../reports/as-text.ts";
import { type StudyContext, studyFiles, studyJson } from "../../reports/study/study-pages.ts";
import { studies } from "../../studies/index.ts";
import { type PresetName, presetNames, type Study } from "../../studies/study.ts";
import {
  addOutputOptions,
  addPoolOptions,
  choice,
  collect,
  list,
  type OutputOptions,
  type PoolOptions,
} from "../options.ts";
import type { Session } from "../program.ts";
import { type ChosenStudy, chooseStudy, type StudyChoice } from "../study-choice.ts";
import { type StudyOutcome, studyPage } from "../study-page.ts";
import { findStudyPools, makeStudyPools, poolParts } from "../study-pools.ts";
import { findStudyRuns, makeStudyRuns, runParts } from "../study-runs.ts";

type ChoiceOptions = OutputOptions & StudyChoice & { force?: boolean };
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
figures/ (SVG, PNG), study.json with every number, and runs/, or of studies made of pools pools/ and points/. If runs
or pools failed, the exit code is 4.

Examples:
  $ cuelab study run biased-mnist --preset quick
  $ cuelab study run well-specified --preset quick --parts colored-mnist,urban-cars
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
    .addOption(choice("--preset <size>", "how large, see 'study show'", presetNames).default("quick"))
    .option("--out <folder>", "where everything goes (default: studies/<study>-<preset>)")
    .option("--parts <names>", "only these, by commas; see 'study show'", list)
    .addOption(
      collect("--set <key=value>", "what a study needs, such as a folder of images; see 'study show'"),
    )
    .option("--force", "replace files of the report that were changed since, or that are others'");
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
      parts: partsOf(found, preset, given),
    }));
    if (json) {
      const { title, paper, question, needs } = found;
      console.json({ name, title, paper, question, needs, presets: presets.map(cardOnly) });
      return;
    }
    console.print(showPage(found, presets));
  });
}

interface ShownPart {
  name: string;
  title: string;
  /** At most, or classifiers of pools. */
  runs?: number;
  classifiers?: number;
}

function partsOf(study: Study, preset: PresetName, given: Record<string, string>): ShownPart[] {
  return study.madeOf === "runs" ? runParts(study.plan(preset, given)) : poolParts(study.plan(preset, given));
}

interface ShownPreset {
  preset: PresetName;
  reduces: string;
  shows: string;
  cost: string;
  parts: readonly ShownPart[];
}

function cardOnly({ preset, reduces, shows, cost, parts }: ShownPreset): ShownPreset {
  return { preset, reduces, shows, cost, parts };
}

function showPage(
  { name, title, paper, question, needs, madeOf }: Study,
  presets: readonly ShownPreset[],
): string {
  const count = ({ runs, classifiers }: ShownPart) => (runs ?? classifiers ?? 0).toLocaleString("en");
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
    madeOf === "runs"
      ? "runs of each part at most; parts share runs:"
      : "classifiers of each part, of all its pools:",
    textTable(
      ["part", ...presetNames, "what it is"],
      parts.map((part) => [
        part.name,
        ...presets.map((preset) => {
          const own = preset.parts.find(({ name }) => name === part.name);
          return own === undefined ? "–" : count(own);
        }),
        part.title,
      ]),
    ),
    "",
    `next: cuelab study run ${name} --preset quick${Object.keys(needs)
      .map((key) => ` --set ${key}=…`)
      .join("")}`,
  ].join("\n");
}

export async function runStudy(name: string, options: RunOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const chosen = await chooseStudy(name, options);
  if (options.resume && !existsSync(join(chosen.folder, chosen.study.madeOf))) {
    throw new CuelabError({
      kind: "usage",
      what: "there is no study to go on with",
      where: chosen.folder,
      todo: "check --out and --preset, or leave --resume away to begin one",
    });
  }
  await makeFolder(join(chosen.folder, chosen.study.madeOf));
  let outcome: StudyOutcome;
  try {
    outcome =
      chosen.study.madeOf === "runs"
        ? await makeStudyRuns(chosen.study, chosen, options, session)
        : await makeStudyPools(chosen.study, chosen, options, session);
  } catch (cause) {
    if (signal.aborted)
      console.note(
        `saved; the same command goes on from here, and 'cuelab study report ${chosen.words}' shows what there is`,
      );
    throw cause;
  }
  await writeReport(chosen, outcome, options, session);
  if (outcome.failed.length > 0) finishWith(4);
}

async function reportStudy(name: string, options: ChoiceOptions, session: Session): Promise<void> {
  const chosen = await chooseStudy(name, options);
  const { study, folder, words } = chosen;
  const outcome = !existsSync(join(folder, study.madeOf))
    ? undefined
    : study.madeOf === "runs"
      ? await findStudyRuns(study, chosen, options, session)
      : await findStudyPools(study, chosen, session);
  if (outcome === undefined || outcome.finished.done === 0) {
    throw new CuelabError({
      kind: "input",
      what: `no ${study.madeOf === "runs" ? "run" : "pool"} of the study is finished`,
      where: folder,
      todo: `cuelab study run ${words}`,
    });
  }
  await writeReport(chosen, outcome, options, session);
}

async function writeReport(
  { study, folder, words }: ChosenStudy,
  { failed, ...outcome }: StudyOutcome,
  { preset, json, force = false }: ChoiceOptions,
  { console }: Session,
): Promise<void> {
  const context: StudyContext = {
    ...outcome,
    study,
    preset,
    command: `npx cuelab study run ${words}`,
  };
  const files = await studyFiles(context);
  // Reports of earlier versions are told by their study.json, which was found to be this study's.
  const wasOurs = existsSync(join(folder, "study.json"));
  await fillFolder(folder, { by: "study", force, wasOurs, removeFormer: true }, async (write) => {
    for (const [name, content] of files) await write(name, content);
  });
  if (json) {
    console.json({ folder, failed, ...studyJson(context) });
    return;
  }
  console.print(studyPage(context));
  for (const { id, label, error } of failed) console.print(`failed: ${label} (${id}): ${error}`);
  const page = join(folder, "report.html");
  const near = relative(".", page);
  console.print(`\nreport   ${near.startsWith("..") ? page : near}`);
}
