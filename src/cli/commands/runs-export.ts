/** `cuelab runs export`: the table and the figures of a paper. */

import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { fillFolder } from "../../disk/fill-folder.ts";
import { checkFree, writeWhole } from "../../disk/write-whole.ts";
import type { RunComparison } from "../../reports/comparison.ts";
import {
  type ComparisonFormat,
  comparisonFormats,
  formatComparison,
} from "../../reports/comparison-formats.ts";
import { formatPaper, paperFigureFiles } from "../../reports/paper/paper-formats.ts";
import { paperMetricWords } from "../../reports/paper/paper-metrics.ts";
import {
  type PaperData,
  type PaperInterval,
  paperData,
  paperIntervals,
} from "../../reports/paper/paper-table.ts";
import { addOutputOptions, choice, collect, excelWords, list, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import { addQuery, examples, type QueryOptions, usualRuns } from "../runs-query.ts";

interface ExportRunsOptions extends QueryOptions {
  format?: ComparisonFormat | "md";
  out?: string;
  force?: boolean;
  sweep: string[];
  metrics?: string[];
  interval?: PaperInterval;
  figures?: string;
  title?: string;
  labels: [string, string][];
  size?: number;
  excel?: boolean;
}

export function addRunsExport(
  runs: Command,
  session: Session,
  compared: (folder: string | undefined, options: QueryOptions, session: Session) => RunComparison[],
): void {
  addOutputOptions(
    addQuery(runs.command("export [folder]").description("a table for a paper, of sweeps or of all runs")),
  )
    .addOption(
      collect(
        "--sweep <name>",
        "rows are this sweep's labels, with the runs that were chosen; may be given again",
      ),
    )
    .option(
      "--metrics <names>",
      `with --sweep, by commas (default: accuracy,worst-group): ${paperMetricWords}`,
      list,
    )
    .addOption(
      choice("--interval <kind>", "with --sweep, what stands after ± (default: t95)", paperIntervals),
    )
    .addOption(
      choice("--format <format>", "(default: markdown; json with --json)", [...comparisonFormats, "md"]),
    )
    .option("--excel", excelWords)
    .option("--out <file>", "where to write it (default: stdout)")
    .option("--figures <folder>", "with --sweep: a figure a metric, and learning curves, as SVG and PDF")
    .option("--title <text>", "of the figures")
    .addOption(
      collect("--labels <metric=text>", "how a figure's axis is labelled; may be given again").argParser(
        (text: string, before: [string, string][]) => [...before, labelled(text)],
      ),
    )
    .option(
      "--size <width>",
      "of the figures between the axes, in pixels (default: 520)",
      wholeNumber(80, 4000),
    )
    .option("--force", "replace files that are there already")
    .addHelpText(
      "after",
      `
With --sweep, rows are labels, datasets are groups of columns, and runs of the search are on no row. Bold is what is not worse
than the best of its column: Student's paired t over seeds, adjusted by Holm, at 5%; one seed has no bold. Further columns say
what each row was given: trials, steps, core seconds of a run, labels in training and in selection. Without --sweep, rows are
whatever differs in the runs' specs, as in 'runs compare'.
${examples(
  "export runs --sweep urban-cars --sweep biased-mnist --metrics accuracy,worst-group --format latex --out table.tex",
  "export runs --sweep urban-cars --metrics in-distribution,gap:background,gap:coObject,gap:background+coObject",
  "export runs --sweep rates --interval sd --format csv --figures figures --title 'Two rates' --size 240",
  "export runs --format latex --slices test --out table.tex",
)}`,
    )
    .action(async (folder: string | undefined, options: ExportRunsOptions) => {
      const { console } = session;
      const { out, force = false, json, figures } = options;
      const format = formatOf(options);
      checkEffects(options);
      if (out !== undefined) await checkFree(out, { overwrite: force });
      let text: string;
      if (options.sweep.length > 0) {
        const data = await paper(folder, options, session);
        text = formatPaper(data, format, options);
        if (figures !== undefined) await writeFigures(data, folder, { ...options, figures }, session);
      } else text = formatComparison(compared(folder, options, session), format, options);
      if (out === undefined) console.data(text.trimEnd());
      else {
        await writeWhole(out, text, { overwrite: force });
        if (json) console.json({ out, format });
        else console.print(`wrote ${out}`);
      }
    });
}

function formatOf({ format, json, out }: ExportRunsOptions): ComparisonFormat {
  if (format === "md") return "markdown";
  // What is printed is JSON then; what is written is as it would be without.
  return format ?? (json && out === undefined ? "json" : "markdown");
}

const ofSweeps = ["metrics", "interval", "figures"] as const;
const ofFigures = ["title", "size"] as const;

/** What would change nothing is a mistake, and is told as such. */
function checkEffects(options: ExportRunsOptions): void {
  const idle = (option: string, without: string) =>
    new CuelabError({ kind: "usage", what: `--${option} has no effect without --${without}` });
  if (options.excel && formatOf(options) !== "csv") throw idle("excel", "format csv");
  if (options.sweep.length === 0)
    for (const option of ofSweeps) if (options[option] !== undefined) throw idle(option, "sweep");
  if (options.figures === undefined) {
    for (const option of ofFigures) if (options[option] !== undefined) throw idle(option, "figures");
    if (options.labels.length > 0) throw idle("labels", "figures");
  }
  if (options.sweep.length > 0 && options.where.length > 0)
    throw new CuelabError({
      kind: "usage",
      what: "--where has no effect with --sweep",
      todo: "a sweep's record says which runs are meant",
    });
  if (options.sweep.length > 0 && options.slices !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: "--slices has no effect with --sweep",
      todo: "name slices among --metrics",
    });
}

async function paper(
  folder = usualRuns,
  { sweep, metrics = ["accuracy", "worst-group"], interval = "t95", quiet }: ExportRunsOptions,
  { console, signal }: Session,
): Promise<PaperData> {
  let progress: ReturnType<typeof console.progress> | undefined;
  const data = await paperData({
    folder,
    sweeps: sweep,
    metrics,
    interval,
    signal,
    onMeasured: (done, total) => {
      if (quiet) return;
      progress ??= console.progress("measuring", total, "runs");
      progress.update(done);
    },
  });
  progress?.stop();
  if (!quiet) for (const remark of data.remarks) console.note(`remark: ${remark}`);
  return data;
}

async function writeFigures(
  data: PaperData,
  folder = usualRuns,
  { figures, title, labels, size, force = false, quiet }: ExportRunsOptions & { figures: string },
  { console }: Session,
): Promise<void> {
  const files = await paperFigureFiles(data, folder, { title, labels: new Map(labels), width: size });
  await fillFolder(figures, { by: "runs export", force }, async (write) => {
    for (const [name, content] of files) await write(name, content);
  });
  if (!quiet) console.note(`figures in ${join(figures, "")}`);
}

function labelled(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw new InvalidArgumentError("Expected metric=text, such as worst-group='Worst group'.");
}
