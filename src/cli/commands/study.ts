/** `cuelab study`: the papers' experiments, from runs to tables, figures and findings. */

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { fillFolder } from "../../disk/fill-folder.ts";
import { answerFiles } from "../../reports/answer-files.ts";
import { asText } from "../../reports/as-text.ts";
import { seedsNoteFor } from "../../reports/formatted-table.ts";
import { textTable } from "../../reports/text-table.ts";
import { type ChosenStudy, chooseStudy, type StudyChoice } from "../../studies/choose-study.ts";
import { findStudy, isBegun, makeStudy, type StudyOutcome } from "../../studies/drive-study.ts";
import { studies } from "../../studies/index.ts";
import { kindOf } from "../../studies/jobs/index.ts";
import { planDigest, plannedOf } from "../../studies/registered.ts";
import { type PresetName, presetNames, type Study } from "../../studies/study.ts";
import {
  coreHours,
  planSection,
  planWords,
  progressOf,
  studyData,
  studyPage,
} from "../../studies/study-sections.ts";
import {
  addOutputOptions,
  addRunsAtATime,
  choice,
  collect,
  list,
  type OutputOptions,
  type RunsAtATimeOptions,
} from "../options.ts";
import type { Session } from "../program.ts";
import { studyHooks } from "../study-progress.ts";

type ChoiceOptions = OutputOptions & StudyChoice & { force?: boolean };
type RunStudyOptions = ChoiceOptions & RunsAtATimeOptions;

export function addStudy(program: Command, session: Session): void {
  const study = program
    .command("study")
    .description("the papers' experiments, ours beside the published numbers");
  addList(study, session);
  addShow(study, session);
  const run = addChoice(
    study.command("run <study>").description("make the runs that are missing, then the report"),
  );
  addOutputOptions(addRunsAtATime(run))
    .addHelpText(
      "after",
      `
What is finished is never run again: the same command goes on after Ctrl-C, a crash or kill -9, and a larger choice of
--parts uses what a smaller one has made. The folder then holds report.html, report.md, tables/ (CSV, LaTeX),
figures/ (SVG, PNG), study.json with every number, plan.json with the plan as it was before the first run, and runs/, or
of studies made of pools pools/ and points/. If runs or pools failed, the exit code is 4.

Examples:
  $ cuelab study run biased-mnist --preset quick
  $ cuelab study run well-specified --preset quick --parts colored-mnist,urban-cars
  $ cuelab study run biased-mnist --preset day --parts methods,growing --out studies/day
  $ cuelab study run biased-mnist --preset smoke --json`,
    )
    .action((name: string, options: RunStudyOptions) => runStudy(name, options, session));
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
    .description(
      "its question, its presets and what they can show, its parts and their runs, its registered plan",
    )
    .addOption(choice("--preset <size>", "whose plan", presetNames).default("quick"));
  addOutputOptions(command).action((name: string, options: OutputOptions & { preset: PresetName }) => {
    const { json, preset: asked } = options;
    const found = studies.get(name);
    const presets = presetNames.map((preset) => ({
      preset,
      ...found.presets[preset],
      parts: partsOf(found, preset),
    }));
    const planned = plannedOf(found, asked);
    const plan = { preset: asked, digest: planDigest(planned), ...planned.registered };
    if (json) {
      const { title, paper, question, needs, offers, takes } = found;
      console.json({
        name,
        title,
        paper,
        question,
        needs,
        ...(offers && { offers }),
        ...(takes && { takes }),
        presets: presets.map(cardOnly),
        plan,
      });
      return;
    }
    const section = planSection(planned.registered);
    const heading = `${section.heading} of ${asked}, ${plan.digest}`;
    console.print(`${showPage(found, presets)}\n\n${asText([{ ...section, heading }])}\n\n${nextOf(found)}`);
  });
}

interface ShownPart {
  name: string;
  title: string;
  /** At most, by what the part is made of, such as `runs`; undefined where another part decides it. */
  [of: string]: string | number | undefined;
}

function partsOf(study: Study, preset: PresetName): ShownPart[] {
  return plannedOf(study, preset).jobs.map((job) => {
    const kind = kindOf(job);
    return { name: job.name, title: job.title, [kind.of]: kind.count(job) };
  });
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
  { title, paper, question, needs, offers = {}, takes = {} }: Study,
  presets: readonly ShownPreset[],
): string {
  const parts = [
    ...new Map(presets.flatMap((preset) => preset.parts).map((part) => [part.name, part])).values(),
  ];
  const unitOf = ({ name: _name, title: _title, ...counts }: ShownPart) => Object.keys(counts)[0]!;
  const units = [...new Set(parts.map(unitOf))];
  return [
    `${title} (${paper})`,
    question,
    ...Object.entries(needs).map(([key, what]) => `needs --set ${key}=…: ${what}`),
    ...Object.entries(offers).map(([key, what]) => `may have --set ${key}=…: ${what}`),
    ...Object.entries(takes).map(
      ([key, { what, presets: of, required }]) =>
        `${of.join(", ")} ${required === true ? "needs" : "takes"} --set ${key}=…: ${what}`,
    ),
    ...presets.flatMap(({ preset, reduces, shows, cost }) => [
      "",
      `${preset}`,
      `  smaller than the paper: ${reduces}`,
      `  can show: ${shows}`,
      `  takes: ${cost}`,
    ]),
    "",
    `${units.join(", ")} of each part at most; parts share those that are equal:`,
    textTable(
      ["part", ...presetNames, "what it is"],
      parts.map((part) => [
        part.name,
        ...presets.map((preset) => {
          const own = preset.parts.find(({ name }) => name === part.name);
          if (own === undefined) return "–";
          return own[unitOf(own)]?.toLocaleString("en") ?? "as many as it needs";
        }),
        part.title,
      ]),
    ),
  ].join("\n");
}

function nextOf({ name, needs }: Study): string {
  const given = Object.keys(needs).map((key) => ` --set ${key}=…`);
  return `next: cuelab study run ${name} --preset quick${given.join("")}`;
}

export async function runStudy(name: string, options: RunStudyOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const chosen = await chooseStudy(name, options);
  if (options.resume && !isBegun(chosen)) {
    throw new CuelabError({
      kind: "usage",
      what: "there is no study to go on with",
      where: chosen.folder,
      todo: "check --out and --preset, or leave --resume away to begin one",
    });
  }
  const progress = studyHooks(options, session);
  let outcome: StudyOutcome;
  try {
    const { workers, checkpointSeconds } = options;
    outcome = await makeStudy(chosen, { ...progress.hooks, signal, workers, checkpointSeconds });
  } catch (cause) {
    progress.end();
    if (signal.aborted)
      console.note(
        `saved; the same command goes on from here, and 'cuelab study report ${chosen.words}' shows what there is`,
      );
    throw cause;
  }
  progress.end();
  await writeReport(chosen, outcome, options, session);
  if (outcome.failed.length > 0) finishWith(4);
}

async function reportStudy(name: string, options: ChoiceOptions, session: Session): Promise<void> {
  const chosen = await chooseStudy(name, options);
  const { signal } = session;
  const progress = studyHooks({ ...options, workers: 1 }, session);
  // Nothing is made, by however many.
  const outcome = await findStudy(chosen, { ...progress.hooks, signal, workers: 1, checkpointSeconds: 60 });
  progress.end();
  await writeReport(chosen, outcome, options, session);
}

async function writeReport(
  chosen: ChosenStudy,
  outcome: StudyOutcome,
  { json, force = false }: ChoiceOptions,
  { console }: Session,
): Promise<void> {
  const { folder } = chosen;
  const page = studyPage(chosen, outcome, seedsNoteFor(outcome.report.sections));
  const data = studyData(chosen, outcome);
  const files = await answerFiles({ name: "report", dataFile: "study.json", answer: data, ...page });
  // Reports of earlier versions are told by their study.json, which was found to be this study's.
  const wasOurs = existsSync(join(folder, "study.json"));
  await fillFolder(folder, { by: "study", force, wasOurs, removeFormer: true }, async (write) => {
    for (const [name, content] of files) await write(name, content);
  });
  if (json) {
    console.json({ folder, failed: outcome.failed, ...data });
    return;
  }
  console.print(terminalPage(chosen, outcome));
  for (const { id, label, error } of outcome.failed) console.print(`failed: ${label} (${id}): ${error}`);
  const html = join(folder, "report.html");
  const near = relative(".", html);
  console.print(`\nreport   ${near.startsWith("..") ? html : near}`);
}

/** What fits a terminal. */
const mostColumns = 10;

/** The narrow tables, wide ones being in the files, and then findings and what they cost. */
function terminalPage({ study, preset }: ChosenStudy, outcome: StudyOutcome): string {
  const { reduces, shows } = study.presets[preset];
  const { findings, sections } = outcome.report;
  const short = sections
    .filter(({ tables = [] }) => tables.length > 0)
    .map(({ text: _text, ...section }) => section);
  return [
    study.title,
    `preset ${preset}; smaller than the paper: ${reduces}`,
    `can show: ${shows}`,
    "",
    asText([...short, { name: "findings", heading: "Findings", findings }], { mostColumns }),
    "",
    `${progressOf(outcome.finished)} finished, ${outcome.failed.length} failed, ${coreHours(outcome.coreSeconds)} core hours`,
    `plan ${planWords(outcome.plan)}`,
  ].join("\n");
}
