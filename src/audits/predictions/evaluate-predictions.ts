/** `eval`: every bias metric over tables of predictions that people bring, one table or several seeds of one model. */

import { realpath } from "node:fs/promises";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { classWord } from "../../core/group-axes.ts";
import { nearest } from "../../core/nearest.ts";
import { guessOf, oneClassRemark } from "../../core/one-class.ts";
import type { PredictionsAbout } from "../../core/predictions-about.ts";
import { haveSameImages } from "../../core/spec-differences.ts";
import { splitName } from "../../core/split-names.ts";
import { onDisk } from "../../disk/standard-input.ts";
import type { CodeNames, CountedSplit } from "../../metrics/counter.ts";
import { evaluationOf, marginsFor, paperAlphas } from "../../metrics/evaluation.ts";
import { attributesIn } from "../../metrics/groups.ts";
import { ClassBook, Codebook, someOf } from "../../predictions/codebook.ts";
import type { Books } from "../../predictions/coded-rows.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import { refuseRepeatedIds } from "../../predictions/repeated-ids.ts";
import { labelledRoles, type PredictionMapping, requiredColumn } from "../../predictions/roles.ts";
import { buildsOf, mixedBuilds } from "../../runs/builds.ts";
import { chosenSplit } from "./choose-split.ts";
import { type CountedTable, countPredictions, type OpenedTable } from "./count-predictions.ts";
import type { EvaluationReport } from "./evaluation-report.ts";
import { type CueRule, type MajorityChoice, majorityRemarks, majorityRule } from "./majority-rules.ts";
import { type AboutRun, meaningOf, refuseNoSeeds } from "./meaning.ts";
import { pairedBySeed } from "./pair-seeds.ts";
import {
  type AttributeChoice,
  type EvaluationPlan,
  evaluationPlan,
  readableGroups,
  withoutAttributes,
} from "./plan.ts";
import { readingRemarks } from "./reading-remarks.ts";
import { readReferenceErrors, requireReferenceGroups } from "./reference-errors.ts";
import { reportOf } from "./report.ts";
import { type TrainingQuestion, trainingFromAbout, trainingFromTable } from "./training.ts";

export interface EvaluatePredictionsOptions extends Omit<AttributeChoice, "reference"> {
  /** Tables, runs' folders, WILDS' or GQA-OOD's files: one, or one a seed. */
  tables: readonly string[];
  /** One for all tables, or one for each. */
  baselines?: readonly string[] | undefined;
  /** Labels, for files that hold predictions only. */
  labels?: readonly string[] | undefined;
  mapping?: PredictionMapping | undefined;
  /** Names of the classes; others are then refused. */
  classes?: readonly string[] | undefined;
  /** `test` unless told, or the only one beside training. */
  split?: string | undefined;
  /** A table of training images, or of their counts. */
  trainCounts?: string | undefined;
  /**
   * What the model was trained on: gives training counts, cues and the values that go with classes to tables that do not
   * tell these themselves, as those of our runs do.
   */
  dataset?: Dataset | undefined;
  /** How to find what runs of earlier formats were about; without it they are tables like any. */
  aboutRun?: AboutRun | undefined;
  majority?: readonly MajorityChoice[] | undefined;
  alphas?: readonly number[] | undefined;
  betas?: readonly number[] | undefined;
  /** A table of another network's error in each group, such as AlexNet's: for mDE and mCE. */
  referenceErrors?: string | undefined;
  /** Points within which the gaps of method and baseline are equal; 3 unless told. */
  margin?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the rows read so far of all tables, and how many there are where that is known. */
  onRows?: ((rows: number, total: number | undefined) => void) | undefined;
}

/** A column with more values than this is not taken for a cue unless it is named as one. */
const mostCueValues = 100;

/** GQA-OOD's own tail. */
const usualBetas: readonly number[] = [0.2];

export async function evaluatePredictions(options: EvaluatePredictionsOptions): Promise<EvaluationReport> {
  const opened = await openAll(options.tables, options);
  await refuseRepeated(opened);
  const tables = opened.map(({ table }) => table);
  refuseNoSeeds(tables);
  // Ours have one row an image; rows of training are counted and not evaluated, unless they are asked for.
  const except = options.split === undefined || splitName(options.split) !== "train" ? "train" : undefined;
  for (const { table, roles } of opened)
    if (table.ours === undefined) await refuseRepeatedIds(table, roles, { except, signal: options.signal });
  const { abouts, remarks: ofMeaning } = await meaningOf(tables, options.dataset, options.aboutRun);
  const [about] = abouts;
  const { baselines, remarks: ofPairing } = pairedBySeed(opened, await openBaselines(options));
  const [first] = opened;
  const { referenceErrors } = options;
  const reference = referenceErrors === undefined ? undefined : await readReferenceErrors(referenceErrors);
  let plan = evaluationPlan(first!.table, first!.roles, { ...options, reference }, about);
  checkEffects(options, plan);
  for (const { table } of opened) for (const name of plan.counted) requiredColumn(table, name);
  const books: Books = {
    splits: new Codebook("split"),
    classes: classBook(opened, about, options),
    attributes: plan.counted.map((name) => attributeBook(name, plan, about)),
  };
  const margins = marginsFor({
    ...plan,
    cues: [...plan.cues, ...plan.majorityColumns.values()],
    // Columns that nobody called cues would make combinations without end.
    aligned: plan.unchosen.size > 0 ? [] : plan.cues.map((cue) => plan.majorityColumns.get(cue) ?? cue),
  }).map((names) => names.map((name) => plan.counted.indexOf(name)));
  const counted = await countAll(opened, baselines, books, margins, options);
  const remarks = [
    ...ofMeaning,
    ...ofPairing,
    ...buildRemarks(options.tables),
    ...readingRemarks(opened, counted, books),
    ...(reference?.isPercent ? [`errors in ${referenceErrors} are taken as per cent`] : []),
  ];
  if (first!.roles.attributes.includes(classWord) && options.cues === undefined) {
    remarks.push(
      `column "${classWord}" is not used: the true class goes by that name, from column "${first!.roles.label}"; rename it to use it`,
    );
  }
  const split = chosenSplit(opened, counted, books, options.split);
  const named = options.split === undefined ? (split.name ?? "") : "";
  // Names of three letters are near everything.
  const meant = named.length > 3 ? nearest(named, ["test", "val"]) : undefined;
  if (meant !== undefined && meant !== named)
    remarks.push(`split "${named}" is evaluated, as the only one beside training; was "${meant}" meant?`);
  const within = counted.map(({ bySplit }) => bySplit[split.code]!);
  for (const [i, { labelled, predicted }] of within.entries()) {
    const remark = oneClassRemark(labelled, predicted, books.classes.names);
    if (remark !== undefined) remarks.push(`${opened[i]!.table.path}: ${remark}`);
  }
  const guess = guessOf(within[0]!.labelled);
  const tooMany = books.attributes.filter(({ overflowed }) => overflowed);
  for (const { name } of tooMany) refuseOverflow(name, plan);
  for (const { name } of tooMany)
    remarks.push(
      `column "${name}" is not used: more than ${mostCueValues} values; name it with --cues to use it`,
    );
  plan = withoutAttributes(plan, new Set(tooMany.map(({ name }) => name)));
  const needed = new Set([...plan.cues, ...attributesIn(plan.grouping)]);
  const training = await trainingOf(options, { books, margins, needed }, abouts, counted);
  const names: CodeNames = {
    classNames: books.classes.names,
    classesOrdered: books.classes.declared,
    attributes: books.attributes.map(({ name, values, declared }) => ({
      name,
      valueNames: values,
      declared: values.slice(0, declared),
    })),
  };
  const counts = counted.map(({ counter }, i) => {
    forgetOverflowed(counted[i]!, books);
    return counter.counts(split.code, names, training.of(i));
  });
  if (reference !== undefined)
    for (const [i, table] of counts.entries())
      requireReferenceGroups(table, reference, opened[i]!.table.path);
  const images = counts.reduce((sum, { margins: [all] }) => sum + tallied(all!.cells), 0);
  const readable = readableGroups(plan, { nominal: nominalGroups(plan, names), images });
  plan = readable.plan;
  if (readable.remark !== undefined) remarks.push(readable.remark);
  const sources = { said: options.majority ?? [], columns: plan.majorityColumns, about };
  const rules = plan.cues.map((cue) => majorityRule(counts[0]!, cue, sources));
  const cues = rules.filter((rule): rule is CueRule => rule !== undefined);
  const evaluations = counts.map((table) =>
    evaluationOf(table, {
      grouping: plan.grouping,
      cues,
      alphas: options.alphas ?? paperAlphas,
      localGroup: plan.localGroup,
      betas: options.betas ?? usualBetas,
      reference: plan.reference,
    }),
  );
  return reportOf(evaluations, {
    files: options.tables,
    baselines: options.baselines ?? [],
    split: split.name,
    splits: split.all,
    shift: about?.splits.find(({ name }) => name === split.name) ?? null,
    sameImages: haveSameImages(tables.map(({ origin }) => origin?.spec)),
    classes: counts[0]!.classNames,
    guessing: { class: books.classes.names[guess.code]!, accuracy: guess.accuracy },
    plan,
    cues,
    training: training.source,
    declared: Object.fromEntries(
      [...(about?.attributes ?? [])].map(([name, { valueNames }]) => [name, valueNames]),
    ),
    remarks: [...remarks, ...majorityRemarks(cues)],
    margin: options.margin === undefined ? undefined : options.margin / 100,
  });
}

/** Every combination of what the groups are by. */
function nominalGroups({ grouping }: EvaluationPlan, { classNames, attributes }: CodeNames): number {
  const sizes = new Map(attributes.map(({ name, valueNames }) => [name, valueNames.length]));
  const ofAttributes = attributesIn(grouping).map((name) => sizes.get(name) ?? 1);
  return [classNames.length, ...ofAttributes].reduce((product, size) => product * size, 1);
}

const tallied = (cells: readonly { count: number }[]) => cells.reduce((sum, { count }) => sum + count, 0);

/** Of tables that are runs' folders: the others do not tell who made them. */
function buildRemarks(tables: readonly string[]): string[] {
  const builds = tables.flatMap((path) => [buildsOf(path) ?? []]).filter((each) => each.length > 0);
  return [mixedBuilds(builds, builds.length > 1 ? "the seeds" : "parts of the run")].filter(
    (remark) => remark !== undefined,
  );
}

/** What would change nothing is a mistake, and is told as such. */
function checkEffects(
  { majority = [], betas, margin, baselines = [] }: EvaluatePredictionsOptions,
  { cues, localGroup }: EvaluationPlan,
): void {
  if (margin !== undefined && baselines.length === 0) {
    throw new CuelabError({
      kind: "usage",
      what: "--margin has no effect without a baseline",
      todo: "give its predictions with --baseline",
    });
  }
  const stranger = majority.find(({ cue }) => !cues.includes(cue));
  if (stranger) {
    throw new CuelabError({
      kind: "usage",
      what: `"${stranger.cue}" is no cue here`,
      where: "--majority",
      expected: cues.length === 0 ? "a table with cues" : `one of: ${cues.join(", ")}`,
    });
  }
  if (betas !== undefined && localGroup === undefined) {
    throw new CuelabError({
      kind: "usage",
      what: "--beta has no effect without local groups",
      todo: "name their attribute with --head-tail",
    });
  }
}

async function openAll(
  paths: readonly string[],
  { labels, mapping = {} }: EvaluatePredictionsOptions,
): Promise<OpenedTable[]> {
  const opened: OpenedTable[] = [];
  for (const path of paths) {
    const table = await openPredictions(path, { labels, splitColumn: mapping.split });
    opened.push({ table, roles: labelledRoles(table, mapping) });
  }
  return opened;
}

/** The same predictions twice would pass for two seeds that agree. */
async function refuseRepeated(opened: readonly OpenedTable[]): Promise<void> {
  const paths = await Promise.all(
    opened.map(({ table }) => onDisk(table.path).then((path) => realpath(path))),
  );
  const repeated = paths.findIndex((path, i) => paths.indexOf(path) < i);
  if (repeated < 0) return;
  throw new CuelabError({
    kind: "usage",
    what: "the same predictions are given twice",
    where: opened[repeated]!.table.path,
    expected: "one table or run a seed",
  });
}

async function openBaselines(options: EvaluatePredictionsOptions): Promise<OpenedTable[]> {
  const { baselines = [], tables } = options;
  if (baselines.length > 1 && baselines.length !== tables.length) {
    throw new CuelabError({
      kind: "usage",
      what: "there must be one baseline for all tables, or one for each",
      got: `${tables.length} tables and ${baselines.length} baselines`,
    });
  }
  return openAll(baselines, options);
}

/** Classes that are declared somewhere; else those that occur. */
function classBook(
  opened: readonly OpenedTable[],
  about: PredictionsAbout | undefined,
  options: EvaluatePredictionsOptions,
): ClassBook {
  const [{ table, roles }] = opened as [OpenedTable];
  const other = opened.find((each) => each.table.classNames?.join("\n") !== table.classNames?.join("\n"));
  if (other) {
    throw new CuelabError({
      kind: "input",
      what: "the tables have different classes",
      where: other.table.path,
      expected: table.classNames ? someOf(table.classNames) : `none declared, as in ${table.path}`,
      got: other.table.classNames ? someOf(other.table.classNames) : "none declared",
    });
  }
  if (table.classNames) return new ClassBook(options.classes ?? table.classNames, { byPlace: true });
  if (options.classes) return new ClassBook(options.classes);
  if (about) return new ClassBook(about.classNames);
  return new ClassBook(roles.scores?.classes);
}

/** Values that the data declares keep its order, whether the table has them or not. */
function attributeBook(
  name: string,
  { unchosen }: EvaluationPlan,
  about: PredictionsAbout | undefined,
): Codebook {
  const book = new Codebook(name, unchosen.has(name) ? mostCueValues : undefined);
  for (const value of about?.attributes.get(name)?.valueNames ?? []) book.declare(value);
  return book;
}

async function countAll(
  opened: readonly OpenedTable[],
  baselines: readonly OpenedTable[],
  books: Books,
  margins: number[][],
  { signal, onRows }: EvaluatePredictionsOptions,
): Promise<CountedTable[]> {
  const sizes = opened.map(({ table }) => table.rows);
  const total = sizes.reduce((sum, rows) => (rows === undefined ? Number.NaN : sum! + rows), 0)!;
  const counted: CountedTable[] = [];
  let before = 0;
  for (const [i, each] of opened.entries()) {
    let read = 0;
    counted.push(
      await countPredictions(each, books, {
        margins,
        baseline: baselines.length > 1 ? baselines[i] : baselines[0],
        signal,
        onRows: (rows) => {
          read = rows;
          onRows?.(before + rows, Number.isNaN(total) ? undefined : total);
        },
      }),
    );
    before += read;
  }
  return counted;
}

/** A table read before a later one had too many values still has its codes. */
function forgetOverflowed({ counter }: CountedTable, { attributes }: Books): void {
  for (const [i, { overflowed }] of attributes.entries()) if (overflowed) counter.drop(i);
}

function refuseOverflow(name: string, { unchosen }: EvaluationPlan): void {
  if (unchosen.has(name)) return;
  throw new CuelabError({
    kind: "input",
    what: `column "${name}" has too many values for an attribute`,
    expected: "at most a million",
    got: "more",
  });
}

interface Training {
  /** In words, for reports; null where nothing is known. */
  source: string | null;
  of: (table: number) => CountedSplit | null;
}

async function trainingOf(
  { trainCounts, mapping = {} }: EvaluatePredictionsOptions,
  question: TrainingQuestion,
  abouts: readonly (PredictionsAbout | undefined)[],
  counted: readonly CountedTable[],
): Promise<Training> {
  if (trainCounts !== undefined) {
    const training = await trainingFromTable(trainCounts, question, mapping);
    return { source: trainCounts, of: () => training };
  }
  if (abouts.every((about) => about !== undefined)) {
    const trained = abouts.map((about) => trainingFromAbout(about, question));
    return { source: `the training split of ${abouts[0]!.data}`, of: (table) => trained[table]! };
  }
  const split = question.books.splits.find("train");
  const inAll = split !== undefined && counted.every(({ counter }) => counter.splits().has(split));
  if (!inAll) return { source: null, of: () => null };
  return { source: "the rows of split train", of: (table) => ({ counter: counted[table]!.counter, split }) };
}
