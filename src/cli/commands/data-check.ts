/** `data check`: is a dataset sound, and how do its cues go with the label? */

import type { Command } from "commander";
import { type CheckReport, checkDataset } from "../../formats/check-dataset.ts";
import { textTable } from "../../reports/as-text.ts";
import { cueTable } from "../cue-table.ts";
import {
  addMapping,
  addOutputOptions,
  addWorkers,
  type MappingOptions,
  mappingOf,
  type OutputOptions,
} from "../options.ts";
import type { Session } from "../program.ts";

interface CheckCommandOptions extends OutputOptions, MappingOptions {
  workers: number;
  by?: string;
}

export function addCheck(data: Command, session: Session): void {
  const command = data
    .command("check <path>")
    .description("validate a dataset in any format, or your own folder, table, shards, npz or IDX file")
    .option("--by <attribute>", "also give statistics for each value of this attribute");
  addOutputOptions(addWorkers(addMapping(command)))
    .addHelpText(
      "after",
      `
Exit code 3 means that problems were found.

Examples:
  $ cuelab data check D
  $ cuelab data check waterbirds --cue-columns place
  $ cuelab data check photos --image-column path --label-column species --split-column part --json`,
    )
    .action((path: string, options: CheckCommandOptions) => check(path, options, session));
}

async function check(
  path: string,
  options: CheckCommandOptions,
  { console, signal, finishWith }: Session,
): Promise<void> {
  const progress = console.follow(options.quiet);
  const report = await checkDataset(path, {
    mapping: mappingOf(options),
    by: options.by,
    workers: options.workers,
    signal,
    onOpened: (count) => progress.begin(`checking ${path}`, count),
    onProgress: progress.update,
  });
  progress.finish();
  if (options.json) console.json(report);
  else console.print(page(report, (text) => console.style("bold", text)));
  if (!report.ok) finishWith(3);
}

/** More rows than this do not help on a screen; `--json` has them all. */
const mostRows = 40;

/** What goes with each image. */
function beside({ sideImages, boxes }: CheckReport): string {
  return [...sideImages, ...boxes.map((thing) => `box of ${thing}`)].join(", ");
}

function page(report: CheckReport, bold: (text: string) => string): string {
  const number = (n: number) => n.toLocaleString("en");
  const splits = Object.entries(report.splits).map(([name, count]) => `${name} ${number(count)}`);
  const sizes = report.imageSizes
    .slice(0, 3)
    .map(({ height, width, channels, count }) => `${height}×${width}×${channels} (${number(count)})`);
  const groups = report.groups.groups.slice(0, mostRows).map(({ label, values, counts }) => {
    return [label, ...values, ...Object.values(counts).map((n) => (n === 0 ? "–" : number(n)))];
  });
  const hidden = report.groups.groups.length - groups.length;
  return [
    `${bold(report.name)}: ${number(report.count)} images, ${report.format} format`,
    `splits   ${splits.join(", ")}`,
    `classes  ${report.classNames.length} (${report.classNames.slice(0, 10).join(", ")}${report.classNames.length > 10 ? ", …" : ""})`,
    `sizes    ${sizes.join(", ")}${report.imageSizes.length > 3 ? ", …" : ""}`,
    ...(report.sideImages.length + report.boxes.length === 0 ? [] : [`beside   ${beside(report)}`]),
    `hash     ${report.hash}${report.declaredHash === report.hash ? " (as declared)" : ""}`,
    "",
    bold("Groups"),
    textTable(["class", ...report.groups.attributes, ...Object.keys(report.splits)], groups),
    ...(hidden > 0 ? [`… and ${number(hidden)} more (see --json)`] : []),
    ...(report.cues.length === 0 ? [] : ["", bold("Cues"), cueTable(report.cues)]),
    "",
    `duplicates: ${number(report.duplicates.acrossSplits)} images across splits, ${number(report.duplicates.withinSplits)} within a split`,
    ...report.ignoredColumns.map(({ name, reason }) => `column "${name}" not used: ${reason}`),
    ...report.broken.slice(0, mostRows).map(({ image, reason }) => `broken: ${image}: ${reason}`),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...report.problems.map((problem) => `problem: ${problem}`),
    report.ok ? "ok" : "not ok",
  ].join("\n");
}
