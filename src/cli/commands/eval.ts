/** `eval`: bias metrics of predictions that people bring, or of finished runs. */

import { type Command, InvalidArgumentError } from "commander";
import { answerOf } from "../../audits/ask.ts";
import { openSubject } from "../../audits/open-subject.ts";
import { predictionsAudit } from "../../audits/predictions/audit.ts";
import type { MajorityChoice } from "../../audits/predictions/majority-rules.ts";
import { type AnswerOptions, addAnswerOptions, answerHooks, checkReport, printAnswer } from "../answers.ts";
import { collect, list, number } from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOfData, readingOfData } from "../reading-options.ts";

interface EvalOptions extends AnswerOptions, ReadingOfData {
  split?: string;
  cues?: string[];
  groups?: string[];
  overlapping?: string[];
  majority: MajorityChoice[];
  trainCounts?: string;
  data?: string;
  dataSet: string[];
  baseline: string[];
  labels: string[];
  classes?: string[];
  alpha?: number[];
  headTail?: string;
  beta?: number[];
  referenceErrors?: string;
  margin?: number;
  idColumn?: string;
  labelColumn?: string;
  predictionColumn?: string;
  splitColumn?: string;
}

const numbers = (text: string) => list(text).map(number);

export function addEval(program: Command, session: Session): void {
  const command = program
    .command("eval <tables...>")
    .description("bias metrics of predictions: a table, a run's folder, or several of them, one a seed")
    .option("--split <name>", "which rows to evaluate (default: test)")
    .option("--cues <names>", "attributes that may serve as shortcuts, by commas", list)
    .option(
      "--groups <names>",
      "attributes that make a group, and class for the class (default: class, cues)",
      list,
    )
    .option("--overlapping <names>", "attributes of yes and no; each yes makes a group by class", list)
    .addOption(
      collect(
        "--majority <cue:class=value>",
        "that a value of a cue goes with a class; may be given again",
      ).argParser((text: string, before: MajorityChoice[]) => [...before, majorityChoice(text)]),
    )
    .option(
      "--train-counts <table>",
      "training images by class and attributes: a column count, or a row an image",
    )
    .option(
      "--data <name or path>",
      "the dataset that the model was trained on (our runs' tables know it themselves)",
    )
    .addOption(collect("--data-set <key=value>", "with --data: a setting of a dataset by name"))
    .addOption(collect("--baseline <table>", "predictions of a standard model for the same rows"))
    .addOption(
      collect("--labels <table>", "classes and attributes, for WILDS' and GQA-OOD's prediction files"),
    )
    .option("--classes <names>", "names of the classes in order; others are refused", list)
    .option("--alpha <numbers>", "powers of the training priors in Acc(α) (default: -1,-0.5,…,2)", numbers)
    .option("--head-tail <attribute>", "local groups in which answers are cut into head and tail")
    .option("--beta <numbers>", "sizes of the tail (default: 0.2)", numbers)
    .option(
      "--reference-errors <table>",
      "AlexNet's error in each domain (domain, error): mDE; or in each corruption and severity: mCE",
    )
    .option("--margin <points>", "with --baseline: smaller changes of a gap are none (default: 3)", number)
    .option("--id-column <name>", "(default: id)")
    .option("--label-column <name>", "the true class (default: y_true, y, label, …)")
    .option("--prediction-column <name>", "the predicted class (default: y_pred, prediction, …)")
    .option("--split-column <name>", "(default: split)");
  addAnswerOptions(addReading(command, { ofData: true }))
    .option("--force", "replace a file that is where the page goes")
    .addHelpText(
      "after",
      `
Tables are CSV (commas, semicolons or tabs), Parquet, JSON (rows, or an object a line) or npz, and - is what is piped in. They have
a true class and a predicted one, or logit_… or prob_… columns (npz: logits, probs); each row is an image, other columns are
attributes. Beside a baseline every cue has a verdict: reduced, amplified, worse everywhere, equal, or cannot be told. Several tables are seeds of one model: means over them, with Student's 95% intervals over seeds; runs that differ
in more than the seed are refused. Intervals of one table are over its images, and tell nothing of another seed.

Examples:
  $ cuelab eval R
  $ cuelab eval predictions.csv --cues place --train-counts counts.csv
  $ cuelab eval seed0.parquet seed1.parquet seed2.parquet --baseline erm.parquet --json
  $ cuelab eval mine.csv --baseline erm.csv --cues background,coObject --train-counts counts.csv
  $ cuelab eval waterbirds_split:test_seed:0_epoch:best_pred.csv --labels metadata.csv --cues place
  $ cuelab eval answers.json --labels ood_testdev_all.json --beta 0,0.2,1
  $ cat predictions.csv | cuelab eval - --cues place`,
    )
    .action((tables: string[], options: EvalOptions) => evaluate(tables, options, session));
}

async function evaluate(tables: string[], options: EvalOptions, session: Session): Promise<void> {
  await checkReport(options);
  const { data, baseline: baselines } = options;
  const { subject, close } = await openSubject("predictions", tables, {
    data,
    set: options.dataSet,
    reading: readingOfData(options),
    baselines,
  });
  try {
    const question = {
      split: options.split,
      cues: options.cues,
      groups: options.groups,
      overlapping: options.overlapping,
      localGroup: options.headTail,
      classes: options.classes,
      labels: options.labels,
      trainCounts: options.trainCounts,
      majority: options.majority,
      alphas: options.alpha,
      betas: options.beta,
      referenceErrors: options.referenceErrors,
      margin: options.margin,
      // A page is the place for pictures.
      mistakes: options.report === undefined ? 0 : 12,
      mapping: {
        id: options.idColumn,
        label: options.labelColumn,
        prediction: options.predictionColumn,
        split: options.splitColumn,
      },
    };
    const answered = await answerOf(predictionsAudit, question, subject, answerHooks(options, session));
    await printAnswer(answered, options, session);
  } finally {
    await close();
  }
}

/** `place:landbird=land`; class and value may hold what the others may not. */
function majorityChoice(text: string): MajorityChoice {
  const [, cue, label, value] = /^([^:]+):(.+?)=(.+)$/.exec(text) ?? [];
  if (cue === undefined || label === undefined || value === undefined) {
    throw new InvalidArgumentError("Expected cue:class=value, such as place:landbird=land.");
  }
  return { cue, label, value };
}
