/** `cuelab repair`: somebody's network with another last layer, and what that changed. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { repairPlace, writeRepair } from "../../audits/repair/handed-back.ts";
import { repair } from "../../audits/repair/repair.ts";
import { repairInShort, repairLead, repairTitle, showRepair } from "../../audits/repair/show.ts";
import { CuelabError } from "../../core/errors.ts";
import { withScratchFolder } from "../../disk/scratch-folder.ts";
import { methods } from "../../methods/index.ts";
import { asMarkdown } from "../../reports/as-markdown.ts";
import { asText } from "../../reports/as-text.ts";
import { parseViews } from "../../training/features/view-parts.ts";
import { dataWordsOf } from "../../training/named-data.ts";
import { views } from "../../views/index.ts";
import { type AnswerOptions, addAnswerOptions, answerHooks, checkReport, writePage } from "../answers.ts";
import { addModelOptions, type ModelDoorOptions, modelWordsOf } from "../model-options.ts";
import { collect, list, number, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import { addDataOptions, type DataOptions, dataChoiceOf } from "../spec-options.ts";

interface RepairOptions extends AnswerOptions, DataOptions, ModelDoorOptions {
  data: string;
  groups?: string[];
  method: string[];
  methodSet: string[];
  views: string[];
  viewSet: string[];
  copies?: number;
  cluster?: string;
  parts?: number[];
  margin?: number;
  seed: number;
  batchSize: number;
  threads: number;
  out: string;
}

export function addRepair(program: Command, session: Session): void {
  const command = addModelOptions(
    addDataOptions(
      program
        .command("repair <model>")
        .description(
          "fit another last layer to your groups, tell what that changes, and write the network with it: of a run, or of an ONNX file of anybody's",
        ),
    ),
  )
    .option(
      "--groups <attributes>",
      "which make groups with the class, by commas (default: all cues of the data)",
      list,
    )
    .option("--method <names>", "how the layer is fitted; of several the best is taken", list, ["dfr"])
    .addOption(
      collect("--method-set <key=value>", "a setting of the method, instead of those that are tried"),
    )
    .option(
      "--views <names>",
      `for methods that learn from views of the images: ${views.names.join(", ")}`,
      list,
      [],
    )
    .addOption(collect("--view-set <key=value>", "a setting of one of these views"))
    .option("--copies <n>", "how often each view changes each image (default: 1)", wholeNumber(1, 1e4))
    .option(
      "--cluster <attribute>",
      "images with one value of it stay in one part, such as those of a person",
    )
    .addOption(
      new Option(
        "--parts <shares>",
        "to fit, tune, choose and report, by commas (default: 0.4,0.2,0.2,0.2)",
      ).argParser(shares),
    )
    .option("--margin <points>", "within which two gaps are equal (default: 3)", number)
    .addOption(
      new Option("--seed <n>", "of the parts, the fits and the views")
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER))
        .default(0),
    )
    .addOption(new Option("--batch-size <n>", "images at a time").argParser(wholeNumber(1, 1e6)).default(64))
    .addOption(
      new Option("--threads <n>", "threads of the runtime").argParser(wholeNumber(1, 256)).default(2),
    )
    .requiredOption("--out <file.onnx>", "the repaired network; its card is beside it, as file.md")
    .option("--force", "replace files that are there already");
  addAnswerOptions(command)
    .addHelpText(
      "after",
      `
Images are split into four parts, group by group: a layer is fitted to one, its settings are tuned on the second, the method is
chosen on the third, and what it changes is told of the fourth. Copies of a picture, and bursts, stay in one part.
The network that comes out is the file that went in, with another last layer: any runtime opens it, as it opened the other.
A repair that improves nothing that can be told writes no network, says so, and ends with exit code 1.

Examples:
  $ cuelab repair theirs.onnx --data photos --groups border --out fixed.onnx
  $ cuelab repair R --data D --method dfr,group-dro,subg --out fixed.onnx --report fixed.html
  $ cuelab repair theirs.onnx --data photos --groups place --preparation torchvision:resnet50 --out fixed.onnx
  $ cuelab repair R --data urban-cars --set size=64 --method last-layer-ensemble \\
      --views background-swap,co-object-swap --copies 3 --out fixed.onnx`,
    )
    .action((model: string, options: RepairOptions) => repairModel(model, options, session));
}

async function repairModel(model: string, options: RepairOptions, session: Session): Promise<void> {
  const { out, force = false, method, methodSet, viewSet, margin } = options;
  const { console, signal } = session;
  for (const name of method) methods.get(name);
  if (method.length > 1 && methodSet.length > 0)
    throw new CuelabError({
      kind: "usage",
      what: "--method-set is for one method",
      got: method.join(", "),
    });
  if (options.views.length === 0 && (viewSet.length > 0 || options.copies !== undefined))
    throw new CuelabError({ kind: "usage", what: "--view-set and --copies are for --views" });
  const place = await repairPlace(out, { force });
  await checkReport(options);
  const hooks = answerHooks(options, session);
  const isFile = model.toLowerCase().endsWith(".onnx");
  const { size } = dataChoiceOf(options);
  const { answer, file } = await withScratchFolder((work) =>
    repair({
      model: { model, ...modelWordsOf(options), ...(isFile && size !== undefined && { size }) },
      data: dataWordsOf(options.data, dataChoiceOf(options)),
      groups: options.groups,
      methods: method,
      methodSet: withViews(options),
      views: parseViews(options.views, viewSet),
      copies: options.copies,
      cluster: options.cluster,
      shares: options.parts,
      seed: options.seed,
      batchSize: options.batchSize,
      threads: options.threads,
      margin: margin === undefined ? undefined : margin / 100,
      work,
      signal,
      onRemark: (text) => {
        if (!options.quiet) console.note(text);
      },
      onProgress: (doing, done, total, unit) => hooks.onProgress?.(doing, done, total, unit),
    }),
  );
  const improved = answer.verdict === "improved";
  if (improved) await writeRepair(place, { answer, file }, asMarkdown);
  await writePage(
    () => ({
      title: repairTitle,
      lead: repairLead,
      inShort: repairInShort(answer),
      sections: showRepair(answer).slice(1),
    }),
    options,
    console,
  );
  if (options.json) console.json({ ...(improved && { out, card: place.card }), ...answer });
  else {
    console.print(asText(showRepair(answer), { bold: (text) => console.style("bold", text) }));
    console.print(
      improved
        ? `\nwrote ${out}, and what is to be known of it to ${place.card}`
        : "\nno network was written",
    );
  }
  if (!improved) session.finishWith(1);
}

/** Views that are kept are those that the ensemble learns from. */
function withViews({ method, methodSet, views: names }: RepairOptions): string[] {
  const wants = method.length === 1 && method[0] === "last-layer-ensemble";
  if (!wants || names.length === 0 || methodSet.some((word) => word.startsWith("views="))) return methodSet;
  return [...methodSet, `views=${names.join(",")}`];
}

function shares(text: string): number[] {
  const values = text.split(",").map(Number);
  const sum = values.reduce((a, b) => a + b, 0);
  if (values.length === 4 && values.every((value) => value > 0) && Math.abs(sum - 1) < 1e-6) return values;
  throw new InvalidArgumentError("Expected four shares above 0 that add up to 1, such as 0.4,0.2,0.2,0.2.");
}
