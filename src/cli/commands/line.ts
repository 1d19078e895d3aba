/** `line`: does out-of-distribution accuracy follow in-distribution accuracy along a line? */

import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { answerOf } from "../../audits/ask.ts";
import { lineAudit } from "../../audits/line/audit.ts";
import { type Unit, units } from "../../audits/line/units.ts";
import { type Transform, transforms } from "../../core/accuracy-scale.ts";
import { CuelabError } from "../../core/errors.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { checkFree } from "../../disk/write-whole.ts";
import { writeAccuracies } from "../../predictions/accuracies/write-accuracies.ts";
import { type AnswerOptions, addAnswerOptions, answerHooks, checkReport, printAnswer } from "../answers.ts";
import { writeLineFigures } from "../line-pictures.ts";
import { choice, list, number, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";

interface LineCommandOptions extends AnswerOptions {
  id?: string[];
  ood?: string[];
  by?: string[];
  weights?: string;
  cluster?: string[] | false;
  leaveOneOut?: string[] | true;
  testEnv?: string;
  environment?: string;
  accuracy?: string;
  model?: string[];
  transform: Transform;
  clip?: [number, number];
  threshold: number;
  confidence: number;
  interval: "fisher" | "bootstrap";
  resamples: number;
  seed: number;
  unit?: Unit;
  classes?: number;
  converge?: boolean;
  groups?: string[] | true;
  overlapping?: string[];
  groupPairs?: boolean;
  writeAccuracies?: string;
  labels?: string;
  labelColumn?: string;
  splitColumn?: string;
  plots?: string;
  title?: string;
  published?: boolean;
}

export function addLine(program: Command, session: Session): void {
  const command = program
    .command("line <tables...>")
    .description(
      "is accuracy on the line? whether a benchmark can reveal shortcuts, from many models' accuracies",
    )
    .option("--id <columns>", "in-distribution accuracies, by commas: each, and the mean of several", list)
    .option("--ood <columns>", "out-of-distribution accuracies, by commas; * stands for anything", list)
    .option("--by <columns>", "subgroups to fit as well, such as model_hparams.model_arch", list)
    .option("--weights <column>", "how much each row counts")
    .option(
      "--cluster <columns>",
      "rows that belong together: the interval draws all of them or none (default: those of one draw, run or model)",
      list,
    )
    .option("--no-cluster", "every row is independent of the others")
    .option("--leave-one-out [columns]", "each environment is OOD in turn, the others are ID", list)
    .option(
      "--test-env <column>",
      "which environment each row's model was not trained on (default: test_env, …)",
    )
    .option("--environment <column>", "for a row a model and environment: the environment")
    .option("--accuracy <column>", "for such tables with one accuracy; --id and --ood then name environments")
    .option(
      "--model <columns>",
      "for such tables: what tells models apart (default: the order of rows)",
      list,
    )
    .addOption(choice("--transform <scale>", "", transforms).default("probit"))
    .option("--clip <low,high>", "limits of accuracies (default: 0.01,0.99; none if linear)", limits)
    .option("--threshold <r>", "weak is below it", number, 0.3)
    .option("--confidence <share>", "of the interval of R", number, 0.95)
    .addOption(
      choice("--interval <kind>", "of R: Fisher's z, or points drawn anew", ["fisher", "bootstrap"]).default(
        "fisher",
      ),
    )
    .option("--resamples <n>", "of the bootstrap", wholeNumber(100, 1_000_000), 1000)
    .option("--seed <n>", "same seed, same draws", wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .addOption(choice("--unit <unit>", "of accuracies (default: told by the values)", units))
    .option("--classes <n>", "how many there are, to know chance", wholeNumber(2, 1_000_000))
    .option("--converge", "also how many classifiers are enough")
    .option("--published", "beside each fit, the one that the paper prints for that dataset and environment")
    .option("--plots <folder>", "pictures of each split, and of subgroups in one, as SVG, PNG and PDF")
    .option("--title <text>", "of the pictures (default: the OOD accuracy)")
    .option(
      "--groups [columns]",
      "of predictions: also the OOD accuracy of each group of these, and class for the class",
      list,
    )
    .option(
      "--overlapping <columns>",
      "instead: columns of yes and no; each yes makes a group by class",
      list,
    )
    .option("--group-pairs", "with groups: also each group's OOD accuracy on each group's ID accuracy")
    .option("--write-accuracies <file>", "of predictions: the counted accuracies as CSV, a row a model")
    .option("--labels <table>", "classes and group columns, for WILDS' prediction files")
    .option("--label-column <name>", "the true class in --labels (default: y_true, y, label, …)")
    .option("--split-column <name>", "the split in --labels (default: split)")
    .option("--force", "replace other files that are where accuracies, pictures or the page go");
  addAnswerOptions(command)
    .addHelpText(
      "after",
      `
Tables are CSV, Parquet, JSON lines or npz (- is what is piped in), one row a model (or checkpoint of one) with a column for each environment, or
one row a model and environment; DomainBed's results.jsonl, WILDS' logs and predictions, or folders of them. A key of a
column that holds {'a': 1, …} is column.a. A table that names its columns as DomainBed does needs no options.

Predictions are WILDS' files with --labels, our runs' folders, or tables with y_true and y_pred, one a model; --id and
--ood then name splits, and val+test is both as one. --groups without columns takes those that WILDS reports by.

Examples:
  $ cuelab line accuracies.csv --id val_acc --ood shifted_acc
  $ cuelab line accuracies.csv --id env0_out_acc,env1_out_acc --ood env2_out_acc --by arch --json
  $ cuelab line sweep/ --leave-one-out            DomainBed's sweep: every environment in turn
  $ cuelab line long.csv --accuracy acc --environment env --model run,step --id a,b --ood c
  $ cuelab line accuracies.parquet --id val --ood test --converge
  $ cuelab line checkpoints.csv --id val --ood test --cluster run       many checkpoints of each training
  $ cuelab line logs/ --id train.acc_avg --ood 'test.acc_y:*'
  $ cuelab line predictions/ --labels metadata.csv --id train --ood val+test --groups class,place --group-pairs
  $ cuelab line predictions/ --labels all_data_with_identities.csv --id val --ood test --groups`,
    )
    .action((tables: string[], options: LineCommandOptions) => line(tables, options, session));
}

async function line(tables: string[], options: LineCommandOptions, session: Session): Promise<void> {
  const { console, signal } = session;
  checkEffects(options);
  const { writeAccuracies: accuracies, plots, title, force = false, quiet } = options;
  await checkReport(options);
  if (accuracies !== undefined) {
    await makeFolder(dirname(accuracies));
    await checkFree(accuracies, { overwrite: force });
  }
  if (plots !== undefined) await makeFolder(plots);
  const answered = await answerOf(lineAudit, questionOf(options), { tables }, answerHooks(options, session));
  if (accuracies !== undefined) {
    await writeAccuracies(answered.answer.table, accuracies, { overwrite: force });
    if (!quiet) console.note(`accuracies in ${accuracies}`);
  }
  await printAnswer(answered, options, session);
  if (plots !== undefined) {
    const drawn = await writeLineFigures({ plots, title, force }, answered.answer, signal);
    if (!quiet) console.note(`${drawn} pictures in ${plots}`);
  }
}

function questionOf({ testEnv, leaveOneOut, groups, ...options }: LineCommandOptions) {
  const {
    plots: _,
    title: _______,
    force: __,
    json: ___,
    quiet: ____,
    report: _____,
    writeAccuracies: ______,
    ...rest
  } = options;
  return {
    ...rest,
    testEnvironment: testEnv,
    leaveOneOut: leaveOneOut === true ? [] : leaveOneOut,
    groups: groups === true ? [] : groups,
  };
}

/** Options that would change nothing are mistakes, and are told as such. */
function checkEffects({ labels, labelColumn, splitColumn }: LineCommandOptions): void {
  if (labels !== undefined || (labelColumn ?? splitColumn) === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `${labelColumn === undefined ? "--split-column" : "--label-column"} has no effect without --labels`,
    todo: "name the table that has the column with --labels, or leave it away",
  });
}

function limits(text: string): [number, number] {
  const ends = list(text).map(number);
  if (ends.length === 2) return [ends[0]!, ends[1]!];
  throw new InvalidArgumentError("Expected two shares, such as 0.01,0.99.");
}
