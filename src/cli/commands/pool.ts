/** `cuelab pool run`: thousands of small classifiers of one dataset, or networks, and whether they lie on a line. */

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { answerOf } from "../../audits/ask.ts";
import { poolAudit } from "../../audits/pool/audit.ts";
import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { type BatchedFamily, batchedFamilies } from "../../pools/batched-classifiers.ts";
import { chunkSize, type Variety, varieties } from "../../pools/draw-classifiers.ts";
import { networksNamed, type PoolNetworkChoice } from "../../pools/draw-networks.ts";
import { allKinds } from "../../pools/feature-kinds.ts";
import { makeNamedPool } from "../../pools/make-pool.ts";
import { checkpointSteps } from "../../pools/train-chunk.ts";
import { describeExtractors } from "../../training/features/extractors.ts";
import { dataWordsOf, seedOfData } from "../../training/named-data.ts";
import { type AnswerOptions, addAnswerOptions, checkReport, printAnswer } from "../answers.ts";
import { writeLineFigures } from "../line-pictures.ts";
import { addSettings, choice, list, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import type { Progress } from "../progress.ts";
import { addReading, type ReadingOptions, readingOf } from "../reading-options.ts";

interface PoolCommandOptions extends AnswerOptions, ReadingOptions {
  classifiers: number;
  out: string;
  set: string[];
  seed: number;
  families?: string[];
  cnns?: number;
  networks?: string[];
  features: string[];
  extractors: string[];
  vary: Variety;
  firstStep?: number;
  holdOut: string;
  trainOn?: string[];
  environment?: string;
  oodSplits?: string[];
  groups: string[];
  groupPairs?: boolean;
  trainImages: number;
  testImages: number;
  steps: number;
  checkpoints: number;
  by?: string[];
  converge?: boolean;
  plots?: string;
  workers: number;
}

const cnn = "cnn";
const families = [...batchedFamilies, cnn];
const usualCnns = 20;
const usualFirstStep = 10;

export function addPool(program: Command, session: Session): void {
  const pool = program.command("pool").description("many classifiers of one dataset");
  const command = pool
    .command("run <dataset>")
    .description("train random classifiers, and tell whether their accuracies lie on a line")
    .requiredOption("--out <folder>", "where the table and its parts go")
    .addOption(
      new Option("--classifiers <n>", "for each environment that is left out")
        .argParser(wholeNumber(2, 1_000_000))
        .default(1000),
    )
    .option(
      "--families <names>",
      `by commas: ${families.join(", ")} (default: ${batchedFamilies.join(", ")})`,
      list,
    )
    .option(
      "--cnns <n>",
      `networks for each environment that is left out, with family cnn (default: ${usualCnns})`,
      wholeNumber(1, 100_000),
    )
    .option(
      "--networks <names>",
      "which, by commas; resnet18 is in its small form, small-cnn:width=8 sets an option (default: narrow ones)",
      list,
    )
    .option(
      "--features <names>",
      `what they see, by commas: ${allKinds.join(", ")}, one such as pixels-7, or random-<model>`,
      list,
      [...allKinds],
    )
    .option(
      "--extractors <paths>",
      "also what trained networks' last layers see: finished runs or ONNX files, by commas",
      list,
      [],
    )
    .addOption(
      choice(
        "--vary <what>",
        "training alone, as the paper's Table 2 does, or also what they are told and see",
        varieties,
      ).default("wide"),
    )
    .option("--hold-out <environment>", "the one to leave out of training, or all of them in turn", "all")
    .option("--train-on <environments>", "instead: train on these, by commas, and leave all others out", list)
    .option(
      "--environment <attribute>",
      "what tells environments apart (default: environment or domain; else splits that are shifted)",
    )
    .option(
      "--ood-splits <names>",
      "splits that are out of distribution, by commas, shifted or not (default: those that are)",
      list,
    )
    .option(
      "--groups <attributes>",
      "by commas: also the accuracy in each group of class and these, and a fit of each",
      list,
      [],
    )
    .option("--group-pairs", "with --groups: also fit each OOD group on each ID group")
    .addOption(
      new Option("--train-images <n>", "of each environment at most")
        .argParser(wholeNumber(2, 10_000_000))
        .default(5000),
    )
    .addOption(
      new Option("--test-images <n>", "of each part of an environment at most")
        .argParser(wholeNumber(1, 10_000_000))
        .default(2500),
    )
    .addOption(new Option("--steps <n>", "of training").argParser(wholeNumber(1, 1_000_000)).default(600))
    .addOption(
      new Option("--checkpoints <n>", "at which each classifier is measured, evenly on a logarithmic scale")
        .argParser(wholeNumber(1, 1000))
        .default(8),
    )
    .option(
      "--first-step <n>",
      `of the first checkpoint (default: ${usualFirstStep}, or the last step where --steps are fewer)`,
      wholeNumber(1, 1_000_000),
    )
    .option("--by <columns>", "fit these subgroups as well, such as family or features", list)
    .option("--converge", "also how many classifiers are enough")
    .option("--plots <folder>", "pictures of each split, and of subgroups in one, as SVG, PNG and PDF")
    .option("--force", "replace another pool that is there, and other files where pictures go")
    .addOption(
      new Option(
        "--workers <n>",
        "processes at a time, each with the images in memory, or a network each; the table is the same",
      )
        .argParser(wholeNumber(1, 256))
        .default(availableParallelism(), "one a core"),
    );
  addAnswerOptions(addReading(addSettings(command)))
    .addHelpText(
      "after",
      `
Logistic regressions and perceptrons of one hidden layer on pixels of several sizes, in colour and grey, on principal
components and on answers of random filters; each with its own learning rate, weight decay, label noise, share of the
data, of the features and of the environments. They are trained ${chunkSize} at a time in one graph. accuracies.csv (and .parquet)
has a row a checkpoint, with the accuracy in each part of each environment; 'cuelab line' takes it as it is.

Family cnn, which is not among them unless you name it, trains networks from the first layer on, each with its own network,
learning rate, weight decay, batch size, augmentation and dropout: seconds to minutes each instead of hundredths of a second.
--classifiers counts the others, --cnns these. Each is a run of --steps steps in runs/, --workers of them at a time.

Give the same command again after an interruption or a crash, or with more --classifiers: what is there is not made again.
The table has what was asked for last; a note tells of classifiers that are there and not in it.

Examples:
  $ cuelab pool run colored-mnist --out P
  $ cuelab pool run colored-mnist --hold-out 0.9 --classifiers 2000 --out P --plots F
  $ cuelab pool run colored-mnist --set environments=0.1,0.3,0.5,0.7,0.9 --train-on 0.1 --out P
  $ cuelab pool run diagvib-study:shape-hue-ZSO-0 --ood-splits test --out P
  $ cuelab pool run urban-cars --set size=64 --groups background,coObject --out P
  $ cuelab pool run colored-mnist --features network,random-small-cnn --extractors R1,R2,model.onnx --out P
  $ cuelab pool run colored-mnist --families cnn --cnns 30 --networks mnist-convnet:width=16 --out N
  $ cuelab pool run biased-mnist --set scale=48 --families logistic --out P --json`,
    )
    .action((dataset: string, options: PoolCommandOptions) => {
      const isGiven = (option: string) => command.getOptionValueSource(option) === "cli";
      return run(dataset, options, isGiven, session);
    });
}

async function run(
  name: string,
  options: PoolCommandOptions,
  isGiven: IsGiven,
  session: Session,
): Promise<void> {
  const { console, signal, finishWith } = session;
  const { batched, choices } = familiesOf(options, isGiven);
  checkTogether(options);
  const {
    seed,
    environment,
    oodSplits,
    groups,
    features,
    vary,
    trainImages,
    testImages,
    steps,
    checkpoints,
    firstStep = usualFirstStep,
  } = options;
  const words = dataWordsOf(name, { set: options.set, ...seedOfData(name, seed), ...readingOf(options) });
  const extractors = await describeExtractors(options.extractors);
  await checkReport(options);
  // A place that cannot be written to is told now, not after hours.
  if (options.plots !== undefined) await makeFolder(options.plots);
  const stops = checkpointSteps({ steps, checkpoints, firstStep });
  if (!options.quiet) for (const note of checkpointNotes(checkpoints, stops)) console.note(note);
  let progress: Progress | undefined;
  let label = "";
  const tell = (next: string, done: number, total: number, unit: string) => {
    if (options.quiet) return;
    if (label !== next) {
      if (label !== "") progress!.finish();
      progress = console.progress(next, total, unit);
    }
    label = next;
    progress!.relabel(next, total);
    progress!.update(done);
  };
  const made = await makeNamedPool(
    words,
    {
      environment: environment ?? null,
      oodSplits: oodSplits ?? null,
      groups,
      families: batched,
      features,
      extractors,
      vary,
      trainImages,
      testImages,
      steps,
      checkpoints,
      firstStep,
      seed,
    },
    {
      ...options,
      classifiers: classifiersOf(options),
      networks: choices && {
        count: options.cnns ?? usualCnns,
        choices,
        workers: options.workers,
        onSteps: (done, total) => tell("training networks", done, total, "steps"),
      },
      out: resolve(options.out),
      force: options.force ?? false,
      signal,
      onImages: (done, total) => tell("reading images", done, total, "images"),
      onNetwork: (kind, images) => {
        if (!options.quiet) console.note(`${kind}: features of ${images.toLocaleString("en")} images`);
      },
      // What was there before would make the rate, and what is left, look better than they are.
      onChunk: (done, total, before) =>
        tell("training classifiers", done - before, total - before, "classifiers"),
    },
  );
  if (label !== "") progress?.finish();
  const { by, converge, groupPairs, plots, force } = options;
  const answered = await answerOf(poolAudit, { by, converge, groupPairs }, made, { signal });
  const cnns = choices && (options.cnns ?? usualCnns);
  const asked = {
    classifiers: classifiersOf(options),
    ...(cnns !== undefined && { cnns: { asked: cnns, ...made.networks } }),
    checkpointSteps: stops,
  };
  await printAnswer({ ...answered, data: () => ({ ...asked, ...answered.data() }) }, options, session);
  if (plots !== undefined) {
    const drawn = await writeLineFigures({ plots, force }, answered.answer.line, signal);
    if (!options.quiet) console.note(`${drawn} pictures in ${plots}`);
  }
  if (made.networks.failed.length > 0) finishWith(4);
}

/** Whether people said it, rather than the default. */
type IsGiven = (option: string) => boolean;

/** Options that contradict each other, or have no effect beside others. */
function checkTogether(options: PoolCommandOptions): void {
  const { trainOn, holdOut, oodSplits, groupPairs, groups, firstStep, steps } = options;
  if (trainOn !== undefined && holdOut !== "all") {
    throw new CuelabError({ kind: "usage", what: "--hold-out and --train-on cannot be told both" });
  }
  if (groupPairs && groups.length === 0) {
    throw new CuelabError({
      kind: "usage",
      what: "--group-pairs needs groups",
      todo: "name the attributes that make them: --groups <attributes>",
    });
  }
  if (oodSplits !== undefined && (trainOn !== undefined || !["all", ...oodSplits].includes(holdOut))) {
    throw new CuelabError({
      kind: "usage",
      what: "--ood-splits puts splits in the place of environments: the training split is trained on",
      expected: `--hold-out all, or one of: ${oodSplits.join(", ")}`,
      got: trainOn === undefined ? `--hold-out ${holdOut}` : `--train-on ${trainOn.join(",")}`,
      todo: "leave one of the two options away",
    });
  }
  if (firstStep !== undefined && firstStep > steps) {
    throw new CuelabError({
      kind: "usage",
      what: "the first checkpoint is after the last step",
      expected: `--first-step of ${steps} at most, the --steps of training`,
      got: String(firstStep),
    });
  }
}

interface Families {
  batched: BatchedFamily[];
  /** Undefined without family cnn; none means the usual ones. */
  choices: PoolNetworkChoice[] | undefined;
}

function familiesOf(
  { families: names = [...batchedFamilies], networks, cnns }: PoolCommandOptions,
  isGiven: IsGiven,
): Families {
  const wrong = names.find((name) => !families.includes(name));
  if (wrong !== undefined) {
    const close = nearest(wrong, families);
    throw new CuelabError({
      kind: "usage",
      what: `unknown family "${wrong}"`,
      expected: `some of: ${families.join(", ")}`,
      ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
    });
  }
  const batched = batchedFamilies.filter((family) => names.includes(family));
  const ofOthers = ["classifiers", "features", "extractors"].find(isGiven);
  if (batched.length === 0 && ofOthers !== undefined) {
    throw new CuelabError({
      kind: "usage",
      what: `--${ofOthers} has no effect with family cnn alone`,
      todo: `leave it away (--cnns says how many networks), or add families: --families ${families.join(",")}`,
    });
  }
  if (names.includes(cnn)) return { batched, choices: networksNamed(networks ?? []) };
  const idle = networks !== undefined ? "--networks" : cnns !== undefined ? "--cnns" : undefined;
  if (idle === undefined) return { batched, choices: undefined };
  throw new CuelabError({
    kind: "usage",
    what: `${idle} has no effect without family cnn`,
    todo: "add --families cnn, or logistic,mlp,cnn for all",
  });
}

/** Those that are trained many at a time. */
function classifiersOf({ families: names = [...batchedFamilies], classifiers }: PoolCommandOptions): number {
  return names.every((name) => name === cnn) ? 0 : classifiers;
}

/** Beyond these, that there are more. */
const mostNamed = 8;

/** On a logarithmic scale of few steps, checkpoints fall together. */
function checkpointNotes(asked: number, steps: readonly number[]): string[] {
  if (steps.length === asked) return [];
  const where = steps.length > mostNamed ? `${steps.slice(0, mostNamed).join(", ")}, …` : steps.join(", ");
  return [`of ${asked} checkpoints ${steps.length} remain, the others fall on the same steps: ${where}`];
}
