/** `cuelab runs`: what was run, and how it compares. */

import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { resolveSettings } from "../../core/settings.ts";
import { leavesOf } from "../../core/spec-differences.ts";
import { checkFree, writeWhole } from "../../disk/write-whole.ts";
import { asText } from "../../reports/as-text.ts";
import { comparedSlices, compareRuns, type RunComparison } from "../../reports/comparison.ts";
import {
  type ComparisonFormat,
  comparisonFormats,
  comparisonTable,
  formatComparison,
} from "../../reports/comparison-formats.ts";
import { textTable } from "../../reports/text-table.ts";
import { runFormatVersion } from "../../runs/run-folder.ts";
import { type Json, listRuns, readRun, type StoredRun } from "../../runs/run-list.ts";
import { chooseKept, type KeptChoice, parseSelection } from "../../training/choose-kept.ts";
import { selectionSchema } from "../../training/selection.ts";
import { addOutputOptions, choice, collect, list, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";
import { percent } from "../results-page.ts";

interface QueryOptions extends OutputOptions {
  where: string[];
  slices?: string[];
}

interface ExportRunsOptions extends QueryOptions {
  format: ComparisonFormat;
  out?: string;
  force?: boolean;
}

export function addRuns(program: Command, session: Session): void {
  const runs = program.command("runs").description("finished runs of a folder, and how they compare");
  const { console } = session;

  addOutputOptions(addQuery(runs.command("list [folder]").description("every finished run below a folder")))
    .addHelpText("after", examples("list runs", "list runs --where method.name=group-dro --slices test"))
    .action((folder: string | undefined, options: QueryOptions) => {
      const found = select(folder, options.where);
      const slices = comparedSlices(found, options.slices);
      if (options.json) console.json(found.map((run) => withSlices(run, slices)));
      else console.print(listPage(found, options.slices === undefined ? slices.slice(0, 4) : slices));
    });

  addOutputOptions(runs.command("show <run>").description("what one run was asked, and what it found"))
    .addHelpText("after", examples("show runs/0123456789abcdef"))
    .action((folder: string, { json }: OutputOptions) => {
      const run = readRun(folder);
      if (json) console.json(run);
      else console.print(showPage(run));
    });

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
      const choice = await chooseKept(folder, selection);
      if (json) console.json(choice);
      else console.print(choicePage(choice));
    });

  addOutputOptions(
    addQuery(
      runs
        .command("compare [folder]")
        .description("rows that differ in more than the seed: mean ± 95% over seeds (n)"),
    ),
  )
    .addHelpText("after", examples("compare runs", "compare runs --slices test,val"))
    .action((folder: string | undefined, options: QueryOptions) => {
      const comparison = compared(folder, options, session);
      if (options.json) console.print(formatComparison(comparison, "json").trimEnd());
      else console.print(comparePage(comparison));
    });

  addOutputOptions(
    addQuery(runs.command("export [folder]").description("the comparison as a table for a paper")),
  )
    .addOption(choice("--format <format>", "which", [...comparisonFormats]).default("markdown"))
    .option("--out <file>", "where to write it (default: stdout)")
    .option("--force", "replace a file that is there already")
    .addHelpText("after", examples("export runs --format latex --slices test --out table.tex"))
    .action(
      async (folder: string | undefined, { format, out, force = false, ...options }: ExportRunsOptions) => {
        if (out !== undefined) await checkFree(out, { overwrite: force });
        const text = formatComparison(compared(folder, options, session), format);
        if (out === undefined) console.print(text.trimEnd());
        else {
          await writeWhole(out, text, { overwrite: force });
          if (options.json) console.json({ out, format });
          else console.print(`wrote ${out}`);
        }
      },
    );
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
  folder: string | undefined,
  { where, slices, quiet }: QueryOptions,
  { console }: Session,
): RunComparison {
  const comparison = compareRuns(select(folder, where), slices);
  if (!quiet)
    for (const copy of comparison.copies)
      console.note(`${copy} is a copy of a run that is counted already, and is left out`);
  return comparison;
}

function addQuery(command: Command): Command {
  return command
    .addOption(collect("--where <path=value>", "only runs whose spec has this, such as method.name=erm"))
    .option("--slices <names>", "accuracies to show, by commas, such as test (default: all)", list);
}

function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  $ cuelab runs ${command}`).join("\n")}`;
}

function select(folder = "runs", where: readonly string[] = []): StoredRun[] {
  const conditions = where.map((text) => {
    const equals = text.indexOf("=");
    if (equals > 0) return { path: text.slice(0, equals), value: text.slice(equals + 1) };
    throw new CuelabError({ kind: "usage", what: `cannot read --where ${text}`, expected: "path=value" });
  });
  const runs = listRuns(folder);
  if (runs.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "there is no finished run",
      where: folder,
      todo: "give the folder of a sweep or of runs",
    });
  }
  if (conditions.length === 0) return runs;
  const specs = runs.map(({ spec }) => leavesOf(spec));
  for (const { path } of conditions) checkPath(path, specs);
  const found = runs.filter((_, i) =>
    // What a spec does not have is undefined, and can be asked for by that word.
    conditions.every(({ path, value }) => (specs[i]!.get(path) ?? "undefined") === value),
  );
  if (found.length > 0) return found;
  const values = (path: string) => [...new Set(specs.map((spec) => spec.get(path) ?? "undefined"))];
  throw new CuelabError({
    kind: "input",
    what: "no finished run is like that",
    where: folder,
    got: conditions.map(({ path }) => `${path}: ${values(path).slice(0, 12).join(", ")}`).join("; "),
    todo: "see them all without --where",
  });
}

/** A place that no spec has is a mistake, and not a question with no answer. */
function checkPath(path: string, specs: readonly ReadonlyMap<string, string>[]): void {
  const known = [...new Set(specs.flatMap((spec) => [...spec.keys()]))];
  if (known.includes(path)) return;
  throw new CuelabError({
    kind: "usage",
    what: `no run's spec has "${path}"`,
    where: "--where",
    expected: `one of: ${known.join(", ")}`,
    ...didYouMean(path, known),
  });
}

function withSlices(run: StoredRun, slices: readonly string[]): StoredRun {
  return { ...run, accuracy: run.accuracy.filter(({ slice }) => slices.includes(slice)) };
}

function listPage(runs: readonly StoredRun[], slices: readonly string[]): string {
  const text = (value: Json | undefined) =>
    value === undefined
      ? "–"
      : typeof value === "string"
        ? value
        : JSON.stringify(value).replaceAll(/["[\]]/g, "");
  return textTable(
    ["run", "data", "model", "method", "explicit", "seed", ...slices],
    runs.map(({ id, format, spec, accuracy }) => {
      const { data, model, method } = spec as Record<string, Record<string, Json> | undefined>;
      return [
        format === runFormatVersion ? id : `${id} (format ${format})`,
        text(data?.name ?? data?.path),
        text(model?.name),
        text(method?.name),
        text(method?.explicit),
        text(spec.seed),
        ...slices.map((slice) => percent(accuracy.find((row) => row.slice === slice)?.accuracy ?? null)),
      ];
    }),
  );
}

function showPage({ id, format, spec, epoch, selection, accuracy }: StoredRun): string {
  return [
    `run ${id} of format ${format}, weights of epoch ${epoch}${selection ? `, chosen by: ${selection.rule}; labels: ${selection.labels}` : ""}`,
    "",
    textTable(
      ["slice", "", "images", "accuracy"],
      accuracy.map((row) => [
        row.slice,
        row.distribution,
        row.count.toLocaleString("en"),
        percent(row.accuracy),
      ]),
    ),
    "",
    JSON.stringify(spec, null, 2),
  ].join("\n");
}

function comparePage(comparison: RunComparison): string {
  const rules = [...new Set(comparison.rows.map(({ selection }) => selection))];
  return [
    asText([{ name: "runs", heading: "", tables: [comparisonTable(comparison)] }]),
    "★ highest mean, ☆ second highest: by the means alone, no test says that they differ",
    `epochs chosen by: ${rules.join(" | ")}`,
  ].join("\n");
}
