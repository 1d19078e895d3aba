/** `cuelab embed`: what a network's features cluster by, in a picture and in numbers. */

import { type Command, Option } from "commander";
import { answerOf } from "../../audits/ask.ts";
import { embeddingAudit } from "../../audits/embedding/audit.ts";
import type { EmbedOptions } from "../../audits/embedding/embed.ts";
import { pointsTable } from "../../audits/embedding/show.ts";
import { openSubject } from "../../audits/open-subject.ts";
import { checkColumnNames } from "../../core/own-columns.ts";
import { checkFillable } from "../../disk/fill-folder.ts";
import { asCsv } from "../../reports/as-csv.ts";
import { perhapsRun } from "../../runs/find-run.ts";
import {
  type AnswerOptions,
  addAnswerOptions,
  answerHooks,
  checkReport,
  printAnswer,
  writeAnswer,
} from "../answers.ts";
import { list, number, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";

interface EmbedCommandOptions
  extends AnswerOptions,
    Pick<EmbedOptions, "points" | "components" | "neighbours" | "minDist" | "standardise" | "seed" | "umap"> {
  id?: string;
  ood: string;
  cues?: string[];
  out?: string;
}

export function addEmbed(program: Command, session: Session): void {
  const command = program
    .command("embed <features>")
    .description("what a network's features cluster by: class or cue? a folder of features, or a run")
    .option("--id <part>", "in-distribution images: a split, or attribute=value (default: val, or train)")
    .option("--ood <part>", "out-of-distribution images, likewise", "test")
    .option("--cues <names>", "attributes to compare with the class, by commas (default: all cues)", list)
    .addOption(
      new Option("--points <n>", "images of either part at most, drawn at random")
        .argParser(wholeNumber(2, 1e5))
        .default(1500),
    )
    .addOption(
      new Option("--components <n>", "principal components to keep")
        .argParser(wholeNumber(2, 4096))
        .default(50),
    )
    .addOption(
      new Option("--neighbours <k>", "of UMAP, and of the agreement")
        .argParser(wholeNumber(2, 1000))
        .default(15),
    )
    .option("--min-dist <x>", "of UMAP: how close points may lie", number, 0.1)
    .option("--standardise", "bring every feature to mean 0 and deviation 1 over ID images first", false)
    .option("--no-umap", "numbers only, in a fraction of the time")
    .addOption(
      new Option("--seed <n>", "same seed, same picture")
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER))
        .default(0),
    )
    .option("--out <folder>", "also write embedding.json, points.csv and figures (SVG, PNG) there")
    .option("--force", "replace other files of the same names there");
  addAnswerOptions(command)
    .addHelpText(
      "after",
      `
Principal components and UMAP are fitted to the ID images and applied to the OOD images. The silhouette is 1 where a
labelling parts the features cleanly and 0 where it does not; agreement is the share of an OOD image's nearest ID images
with its own class, or its own cue.

Examples:
  $ cuelab embed F --out E
  $ cuelab embed R --id val --ood test --cues color
  $ cuelab embed F --id environment=0.1 --ood environment=0.9 --no-umap --json`,
    )
    .action((path: string, options: EmbedCommandOptions) => embed(perhapsRun(path), options, session));
}

async function embed(path: string, options: EmbedCommandOptions, session: Session): Promise<void> {
  await checkReport(options);
  const asked = { by: "embed", force: options.force ?? false };
  const { out, id, ood, cues, points, components, neighbours, minDist, standardise, umap, seed } = options;
  const filling =
    out === undefined ? asked : await checkFillable(out, [`${answerName}.json`, pointsName], asked);
  const hooks = answerHooks(options, session);
  const { subject } = await openSubject("features", [path], hooks);
  const question = { id, ood, cues, points, components, neighbours, minDist, standardise, umap, seed };
  const answered = await answerOf(embeddingAudit, question, subject, hooks);
  if (out !== undefined) {
    checkColumnNames(
      answered.answer.labels.slice(1).map(({ name }) => name),
      "points",
      { where: path, todo: "name other attributes after --cues, or leave --out away" },
    );
    await writeAnswer(answered, {
      name: answerName,
      out,
      filling,
      more: { [pointsName]: asCsv(pointsTable(answered.answer)) },
    });
  }
  await printAnswer(answered, options, session);
}

const answerName = "embedding";
const pointsName = "points.csv";
