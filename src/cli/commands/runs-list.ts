/** `cuelab runs list`, `show` and `note`: what was run when, and what one run was asked and found. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { percentText } from "../../core/words.ts";
import { asText } from "../../reports/as-text.ts";
import { comparedSlices } from "../../reports/comparison.ts";
import { runColumnNames, runTable } from "../../reports/run-columns.ts";
import { textTable } from "../../reports/text-table.ts";
import { findRun, noRun } from "../../runs/find-run.ts";
import { type ListedRun, listAllRuns, listedRun, type RunState, runStates } from "../../runs/listed-runs.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { logNote } from "../../runs/run-log.ts";
import { writeEvents } from "../../runs/tensorboard.ts";
import { membersOf } from "../../sweeps/sweep-record.ts";
import { addOutputOptions, choice, list, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";
import { inferencePart, ownNumbersPart } from "../results-page.ts";
import { addQuery, chosenRuns, examples, type QueryOptions, usualRuns } from "../runs-query.ts";

interface BoardOptions extends OutputOptions {
  out: string;
  force?: boolean;
}

interface ListOptions extends QueryOptions {
  columns?: string[];
  sort?: string;
  sweep?: string;
  label?: string;
  state?: RunState;
}

export function addRunsList(runs: Command, session: Session): void {
  const { console } = session;
  addOutputOptions(
    addQuery(
      runs
        .command("list [folder]")
        .description("every run below a folder, finished or not, in the order of their start"),
    )
      .option(
        "--columns <names>",
        `by commas: ${runColumnNames.join(", ")}, a slice, or a place in the spec`,
        list,
      )
      .option(
        "--sort <column>",
        "by one of these; -column for the largest or latest first (default: started)",
      )
      .option("--sweep <name>", "only runs of this sweep")
      .option("--label <label>", "only runs of entries with this label")
      .addOption(choice("--state <state>", "only runs in this state", runStates)),
  )
    .addHelpText(
      "after",
      `
A run is finished, running (a process works on it), interrupted (its command goes on with it) or failed.
${examples(
  "list runs",
  "list runs --sort -started --columns run,state,started,took,label,optimiser.rate,test",
  "list runs --sweep rates --state failed",
  "list runs --where method.name=group-dro --slices test",
)}`,
    )
    .action(async (folder: string | undefined, options: ListOptions) => {
      const { columns, sort, slices } = options;
      const found = await listed(folder, options);
      const chosen = slices && comparedSlices(found, slices);
      const { table, runs: sorted } = runTable(found, { columns, sort, slices: chosen });
      if (options.json) console.json(sorted.map((run) => withSlices(run, chosen)));
      else console.print(asText([{ name: "runs", heading: "", tables: [table] }]));
    });

  addOutputOptions(
    runs.command("show <run>").description("what one run was asked, what it found, and its log"),
  )
    .addHelpText("after", examples("show runs/0123456789abcdef", "show 0123"))
    .action(async (name: string, { json }: OutputOptions) => {
      const run = await runNamed(name);
      if (json) console.json(run);
      else console.print(showPage(run));
    });

  addOutputOptions(
    runs
      .command("note <run> <text>")
      .description("write a note into a run's log, for 'runs list' and 'runs show'"),
  )
    .addHelpText("after", examples('note 0123 "rate too high, see the loss"'))
    .action(async (name: string, text: string, { json }: OutputOptions) => {
      const { folder, id } = await runNamed(name);
      if (text.trim() === "") throw new CuelabError({ kind: "usage", what: "the note is empty" });
      await logNote(folder, text);
      if (json) console.json({ id, folder, note: text });
      else console.print(`noted for run ${id}`);
    });

  addTensorboard(runs, session);
}

function addTensorboard(runs: Command, { console }: Session): void {
  addOutputOptions(
    runs
      .command("tensorboard [folder]")
      .description("finished runs for TensorBoard: a folder a run, with its epochs and accuracies")
      .requiredOption("--out <folder>", "where to write; then: tensorboard --logdir <folder>")
      .option("--force", "replace files that are there already"),
  )
    .addHelpText("after", examples("tensorboard runs --out tb"))
    .action(async (folder: string = usualRuns, { out, force = false, json }: BoardOptions) => {
      const all = chosenRuns(await listAllRuns(folder), [], { folder, kind: "run" });
      const finished = all.filter(({ state }) => state === "finished");
      const files: string[] = [];
      for (const run of finished) {
        const name = [run.label, run.detail, run.id]
          .filter(Boolean)
          .join(" ")
          .replaceAll(/[^\p{L}\p{N}.=-]+/gu, "_");
        files.push(await writeEvents(run, join(out, name), { overwrite: force }));
      }
      if (json) console.json({ out, files });
      else console.print(`wrote ${files.length.toLocaleString("en")} runs to ${out}`);
    });
}

async function listed(folder = usualRuns, options: ListOptions): Promise<ListedRun[]> {
  const { where, sweep, label, state } = options;
  let found = chosenRuns(await listAllRuns(folder), where, { folder, kind: "run" });
  if (sweep !== undefined) found = await ofSweep(found, folder, sweep);
  if (label !== undefined) found = withValue(found, label, "label", ({ label: one }) => one);
  if (state !== undefined) found = found.filter((run) => run.state === state);
  if (found.length > 0) return found;
  throw new CuelabError({ kind: "input", what: `there is no run in the state ${state}`, where: folder });
}

/** By the sweep's own record, which also knows what it found done, and by the runs' logs, while it is going on. */
async function ofSweep(runs: readonly ListedRun[], folder: string, sweep: string): Promise<ListedRun[]> {
  const members = await membersOf(folder, sweep);
  const placed = runs.map((run) => {
    const label = members?.get(run.id);
    return label === undefined ? run : { ...run, sweep, label };
  });
  return withValue(placed, sweep, "sweep", (run) => run.sweep);
}

function withValue(
  runs: readonly ListedRun[],
  value: string,
  what: "sweep" | "label",
  of: (run: ListedRun) => string | null,
): ListedRun[] {
  const found = runs.filter((run) => of(run) === value);
  if (found.length > 0) return found;
  const known = [...new Set(runs.flatMap((run) => of(run) ?? []))];
  throw new CuelabError({
    kind: "input",
    what: `no run is of a ${what} "${value}"`,
    where: `--${what}`,
    expected: known.length === 0 ? `runs whose log names a ${what}` : `one of: ${known.join(", ")}`,
    ...didYouMean(value, known),
  });
}

async function runNamed(name: string): Promise<ListedRun> {
  const folder = findRun(name);
  if (!existsSync(join(folder, runFiles.spec))) throw noRun(name);
  return listedRun(folder, existsSync(join(folder, runFiles.manifest)));
}

function withSlices(run: ListedRun, slices: readonly string[] | undefined): ListedRun {
  if (slices === undefined) return run;
  return { ...run, accuracy: run.accuracy.filter(({ slice }) => slices.includes(slice)) };
}

function showPage(run: ListedRun): string {
  const { id, format, spec, epoch, selection, accuracy, state } = run;
  const chosen = selection ? `, chosen by: ${selection.rule}; labels: ${selection.labels}` : "";
  const { table } = runTable([run], {
    columns: [
      "started",
      "ended",
      "took",
      "sweep",
      "label",
      "detail",
      "host",
      "version",
      "build",
      "command",
      "note",
      "error",
    ],
  });
  const facts = table.columns.flatMap(({ title }, i): [string, string][] => {
    const cell = table.rows[0]!.cells[i]!;
    if (cell === null) return [];
    return [[title, typeof cell === "string" ? cell : "text" in cell ? cell.text : String(cell.mean)]];
  });
  return [
    state === "finished"
      ? `run ${id} of format ${format}, weights of epoch ${epoch}${chosen}`
      : `run ${id}, ${state}`,
    ...(facts.length === 0 ? [] : [asText([{ name: "log", heading: "", facts }])]),
    "",
    ...(state === "finished"
      ? [
          textTable(
            ["slice", "", "images", "accuracy"],
            accuracy.map((row) => [
              row.slice,
              row.distribution,
              row.count.toLocaleString("en"),
              percentText(row.accuracy),
            ]),
          ),
          "",
          ...ownNumbersPart([...(run.numbers ?? [])]),
          ...(run.inferred ?? []).flatMap((one) => [inferencePart(one), ""]),
        ]
      : []),
    JSON.stringify(spec, null, 2),
  ].join("\n");
}
