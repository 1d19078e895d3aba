/** `cuelab runs`: what was run, and how it compares. */

import type { Command } from "commander";
import { resolveSettings } from "../../core/settings.ts";
import { asText } from "../../reports/as-text.ts";
import { compareByDataset, type RunComparison } from "../../reports/comparison.ts";
import { formatComparison } from "../../reports/comparison-formats.ts";
import { comparisonPage, comparisonSections } from "../../reports/comparison-page.ts";
import { textTable } from "../../reports/text-table.ts";
import { findRun } from "../../runs/find-run.ts";
import { listRuns } from "../../runs/run-list.ts";
import { chooseKept, type KeptChoice, parseSelection } from "../../training/choose-kept.ts";
import { selectionSchema } from "../../training/selection.ts";
import { type AnswerOptions, addAnswerOptions, checkReport, writePage } from "../answers.ts";
import { addOutputOptions, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";
import { addQuery, chosenRuns, examples, type QueryOptions, usualRuns } from "../runs-query.ts";
import { addRunsExport } from "./runs-export.ts";
import { addRunsList } from "./runs-list.ts";

export function addRuns(program: Command, session: Session): void {
  const runs = program.command("runs").description("what was run when, what it found, and how it compares");
  const { console } = session;

  addRunsList(runs, session);

  addOutputOptions(
    runs
      .command("choose <run>")
      .description("which of the epochs that a run has kept a rule prefers, with no further training"),
  )
    .requiredOption("--select <rule>", "val-worst-class, or val-worst-group:place with its groups, …")
    .addHelpText(
      "after",
      examples("choose R --select val-worst-class", "choose R --select val-worst-group:place"),
    )
    .action(async (folder: string, { json, select: rule }: OutputOptions & { select: string }) => {
      const selection = resolveSettings(selectionSchema, parseSelection(rule));
      const choice = await chooseKept(findRun(folder), selection);
      if (json) console.json(choice);
      else console.print(choicePage(choice));
    });

  addAnswerOptions(
    addQuery(
      runs
        .command("compare [folder]")
        .description("rows that differ in more than the seed: mean ± 95% over seeds (n)"),
    ),
  )
    .option("--force", "replace a page that is there already")
    .addHelpText(
      "after",
      examples("compare runs", "compare runs --slices test,val", "compare runs --report compared.html"),
    )
    .action(async (folder: string | undefined, options: QueryOptions & AnswerOptions) => {
      await checkReport(options);
      const comparisons = compared(folder, options, session);
      await writePage(() => comparisonPage(comparisons, folder ?? usualRuns), options, console);
      if (options.json) console.data(formatComparison(comparisons, "json").trimEnd());
      else console.print(asText(comparisonSections(comparisons)));
    });

  addRunsExport(runs, session, compared);
}

/** Only what the run has kept can be chosen from, and that is said. */
function choicePage({ chosen, candidates, selection }: KeptChoice): string {
  const rows = candidates.map(({ epoch, files, score }) => [
    String(epoch),
    score.toFixed(4),
    files === chosen.files ? "chosen" : "",
    files.predictions,
    files.weights,
  ]);
  const of =
    candidates.length === 1
      ? "the only epoch that this run has kept"
      : "among the epochs that this run has kept";
  return [
    `${selection.rule} prefers epoch ${chosen.epoch}, ${of}`,
    `labels that this takes: ${selection.labels}`,
    "",
    textTable(["epoch", "score", "", "predictions", "weights"], rows),
  ].join("\n");
}

function compared(
  folder = usualRuns,
  { where, slices, quiet }: QueryOptions,
  { console, finishWith }: Session,
): RunComparison[] {
  const whole = listRuns(folder, ({ folder: damaged, cause }) => {
    // Said even if all else is to be quiet: a table without some of its runs is not the table that was asked for.
    console.note(`${damaged} is damaged and left out: ${cause.message.replaceAll(/\s*\n\s*/g, "; ")}`);
    finishWith(4);
  });
  const runs = chosenRuns(whole, where, { folder, kind: "finished run" });
  const comparisons = compareByDataset(runs, slices);
  if (quiet) return comparisons;
  for (const { copies, remarks } of comparisons) {
    for (const copy of copies)
      console.note(`${copy} is a copy of a run that is counted already, and is left out`);
    for (const remark of remarks) console.note(`remark: ${remark}`);
  }
  return comparisons;
}
