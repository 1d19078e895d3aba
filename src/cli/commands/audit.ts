/** `cuelab audit`: any audit by its name, yours too, with its question in words. */

import type { Command } from "commander";
import type { AnyAudit, AuditSubject } from "../../audits/audit.ts";
import { CuelabError } from "../../core/errors.ts";
import { describeSettings, parseAssignments } from "../../core/settings.ts";
import { checkFillable } from "../../disk/fill-folder.ts";
import { textTable } from "../../reports/text-table.ts";
import {
  type AnswerOptions,
  addAnswerOptions,
  answerHooks,
  checkReport,
  printAnswer,
  writeAnswer,
} from "../answers.ts";
import { addModelOptions, type ModelDoorOptions, modelWordsOf } from "../model-options.ts";
import { addOutputOptions, collect, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOfData, readingOfData } from "../reading-options.ts";
import { addThingOptions, type ThingOptions, thingWordsOf } from "../thing-options.ts";

interface AskOptions extends AnswerOptions, ReadingOfData, ModelDoorOptions, ThingOptions {
  set: string[];
  dataSet: string[];
  data?: string;
  labelMap?: string;
  baseline: string[];
  out?: string;
}

/** What is given for each kind of thing, and which command asks the same with options of its own. */
const given: Record<AuditSubject, string> = {
  predictions: "tables of predictions or runs",
  dataset: "a dataset's name or path",
  objects: "a dataset with boxes",
  accuracies: "tables of many models' accuracies",
  features: "a folder of features, or a run",
  model: "a run's folder or an .onnx file, and images (--data)",
  pool: "a pool's folder",
};

export function addAudit(program: Command, session: Session): void {
  const audit = program
    .command("audit")
    .description("questions put to predictions, datasets, benchmarks and features, each with one answer")
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab audit list
  $ cuelab audit show line
  $ cuelab audit predictions R --set cues=background --report page.html
  $ cuelab audit mine D --plugin mine.ts --out A`,
    );
  addList(audit, session);
  addShow(audit, session);
  const ask = audit
    .command("ask <audit> <things...>", { isDefault: true })
    .description("put the question of an audit to one thing or several; 'audit' alone does the same")
    .addOption(collect("--set <key=value>", "a part of the question; see 'audit show <audit>'"))
    .addOption(collect("--data-set <key=value>", "of a dataset by name: a setting of it"))
    .option(
      "--data <name or path>",
      "of predictions: the dataset that the model was trained on; of a model: the images that it is asked about",
    )
    .option("--label-map <file>", "of a model: which of its classes each class of the data is (json or csv)")
    .addOption(collect("--baseline <table>", "of predictions: those of a standard model for the same rows"))
    .option("--out <folder>", "also write page, Markdown, JSON, tables (CSV, LaTeX) and figures there")
    .option("--force", "replace other files of the same names");
  addThingOptions(addModelOptions(addAnswerOptions(addReading(ask, { ofData: true }))))
    .addHelpText(
      "after",
      "\nExamples:\n  $ cuelab audit predictions R --set groups=class,background\n  $ cuelab audit embedding F --set umap=false --json\n  $ cuelab audit model theirs.onnx --data photos --classes names.txt --report page.html",
    )
    .action((name: string, things: string[], options: AskOptions) => put(name, things, options, session));
}

/** Loaded when it is needed: help pages are built of every command. */
const everyAudit = () => import("../every-audit.ts");

function addList(audit: Command, { console }: Session): void {
  addOutputOptions(audit.command("list").description("every audit, and what it looks at"))
    .addHelpText("after", "\nExamples:\n  $ cuelab audit list\n  $ cuelab audit list --json")
    .action(async ({ json }: OutputOptions) => {
      const { audits } = await everyAudit();
      if (json) console.json({ audits: audits.entries.map(summary) });
      else
        console.print(
          textTable(
            ["audit", "question", "looks at"],
            audits.entries.map(({ name, title, of }) => [name, title, given[of]]),
          ),
        );
    });
}

function addShow(audit: Command, { console }: Session): void {
  addOutputOptions(audit.command("show <audit>").description("what can be said with its question"))
    .addHelpText("after", "\nExample:\n  $ cuelab audit show predictions")
    .action(async (name: string, { json }: OutputOptions) => {
      const { audits } = await everyAudit();
      const found = audits.get(name);
      const question = describeSettings(found.question);
      if (json) {
        console.json({ ...summary(found), question });
        return;
      }
      const { title, description, paper, of } = found;
      console.print(
        [
          console.style("bold", title),
          `${description}${paper === undefined ? "" : `; after ${paper}`}`,
          `looks at ${given[of]}`,
          "",
          textTable(
            ["--set", "default", "what it is"],
            question.map(({ key, default: usual, description: what }) => [
              key,
              usual === undefined ? "" : JSON.stringify(usual),
              what,
            ]),
          ),
        ].join("\n"),
      );
    });
}

function summary({ name, title, description, paper, of }: AnyAudit) {
  return { name, title, description, paper: paper ?? null, of };
}

/** Elsewhere --set is of a dataset: who says it so here is told where that goes. */
function questionOf(audit: AnyAudit, { set }: AskOptions): Record<string, unknown> {
  try {
    return parseAssignments(audit.question, set);
  } catch (cause) {
    const ofData = audit.of === "dataset" || audit.of === "objects";
    if (!ofData || !(cause instanceof CuelabError) || cause.parts.todo !== undefined) throw cause;
    const todo = "--set is of the question; say settings of the dataset with --data-set";
    throw new CuelabError({ ...cause.parts, todo });
  }
}

async function put(name: string, things: string[], options: AskOptions, session: Session): Promise<void> {
  const { answerOf, audits, openSubject } = await everyAudit();
  const audit = audits.get(name);
  const question = questionOf(audit, options);
  if (options.inpainter !== undefined && name !== "model")
    throw new CuelabError({
      kind: "usage",
      what: "--inpainter has no effect here: only 'audit model' fills holes",
      todo: "leave it away",
    });
  await checkReport(options);
  const { out, data, baseline: baselines, dataSet: set, force = false } = options;
  const asked = { by: "audit", force };
  const filling = out === undefined ? asked : await checkFillable(out, [`${name}.html`], asked);
  const hooks = answerHooks(options, session);
  const { subject, close } = await openSubject(audit.of, things, {
    ...hooks,
    data,
    baselines,
    set,
    reading: readingOfData(options),
    model: modelWordsOf(options),
    things: thingWordsOf(options),
    labelMap: options.labelMap,
    onRemark: (text) => {
      if (!options.quiet) session.console.note(text);
    },
  });
  try {
    const answered = await answerOf(audit, question, subject as never, hooks);
    if (out !== undefined) await writeAnswer(answered, { name, out, filling });
    await printAnswer(answered, options, session);
  } finally {
    await close();
  }
}
