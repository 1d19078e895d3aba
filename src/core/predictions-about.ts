/**
 * What a table of predictions is about: its classes, what its attributes mean, which splits are shifted, what was trained
 * on, and which run made it. It travels inside the table, so that every reader gives one answer to one question.
 */

import { z } from "zod";
import type { AttributeRole, Dataset } from "./dataset.ts";
import { CuelabError } from "./errors.ts";
import { type SplitShift, splitShifts } from "./shifted-splits.ts";
import { packCounts, type TrainingCounts, trainingCountsOf, unpackCounts } from "./training-counts.ts";

export interface PredictionsAbout {
  /** The dataset's name, for people. */
  data: string;
  classNames: readonly string[];
  attributes: ReadonlyMap<string, AttributeAbout>;
  /** Every split but training. */
  splits: readonly SplitShift[];
  /** Null where there were no training images. */
  training: TrainingCounts | null;
  /** Null for tables that no run has made. */
  origin: PredictionsOrigin | null;
}

interface AttributeAbout {
  valueNames: readonly string[];
  role: AttributeRole;
  /** For a cue: the value that goes with each class. */
  classValues?: readonly number[] | undefined;
}

/** Which run made them: runs whose specs differ in more than their seeds are never averaged. */
export interface PredictionsOrigin {
  run: string;
  /** The run's format: equal specs of different formats may give other results. */
  format: number;
  spec: Readonly<Record<string, unknown>>;
}

export function aboutPredictions(dataset: Dataset, origin: PredictionsOrigin | null): PredictionsAbout {
  return {
    data: dataset.name,
    classNames: dataset.classNames,
    attributes: new Map(
      Object.entries(dataset.attributes).map(([name, { valueNames, role, classValues }]) => [
        name,
        { valueNames, role, ...(classValues && { classValues }) },
      ]),
    ),
    splits: splitShifts(dataset),
    training: trainingCountsOf(dataset),
    origin,
  };
}

const code = z.number().int().min(0);

const storedSchema = z.object({
  version: z.literal(1),
  data: z.string(),
  attributes: z.array(
    z.object({
      name: z.string(),
      valueNames: z.array(z.string()),
      role: z.enum(["cue", "core", "other"]),
      classValues: z.array(code).optional(),
    }),
  ),
  splits: z.array(
    z.object({
      name: z.string(),
      shifted: z.boolean(),
      why: z.enum(["declared", "unseen", "cue", "alike"]),
    }),
  ),
  training: z
    .object({
      attributes: z.array(z.string()),
      combinations: code,
      widths: z.array(code.max(31)),
      base64: z.string(),
    })
    .nullable(),
  origin: z.object({ run: z.string(), format: code, spec: z.record(z.string(), z.unknown()) }).nullable(),
});

/** As plain data for a file's metadata, beside the names of the classes. */
export function storedAbout({ data, attributes, splits, training, origin }: PredictionsAbout): object {
  return {
    version: 1,
    data,
    attributes: Array.from(attributes, ([name, { valueNames, role, classValues }]) => ({
      name,
      valueNames: [...valueNames],
      role,
      ...(classValues && { classValues: [...classValues] }),
    })),
    splits: [...splits],
    training: training && packCounts(training),
    origin,
  } satisfies z.input<typeof storedSchema>;
}

const metadataSchema = z.looseObject({ classNames: z.array(z.string()).optional() });

/** What a file of ours says in its metadata: names of classes, and what else it is about, which `readAbout` checks. */
export function readMetadata(text: string, where: string): z.output<typeof metadataSchema> {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (cause) {
    throw damaged(where, (cause as Error).message);
  }
  const parsed = metadataSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  throw damaged(where, z.prettifyError(parsed.error));
}

/** What `storedAbout` gave, checked. */
export function readAbout(stored: unknown, classNames: readonly string[], where: string): PredictionsAbout {
  const parsed = storedSchema.safeParse(stored);
  if (!parsed.success) throw damaged(where, z.prettifyError(parsed.error));
  const { data, splits, origin } = parsed.data;
  const attributes = new Map(parsed.data.attributes.map(({ name, ...about }) => [name, about]));
  const training = parsed.data.training && unpackCounts(parsed.data.training, where);
  checkCodes({ attributes, training, classNames }, where);
  return { data, classNames, attributes, splits, training, origin };
}

/** Codes that name nothing would be read as something else. */
function checkCodes(
  { attributes, training, classNames }: Pick<PredictionsAbout, "attributes" | "training" | "classNames">,
  where: string,
): void {
  const within = (codes: ArrayLike<number>, names: readonly string[] | undefined) =>
    names !== undefined && Array.prototype.every.call(codes, (each: number) => each < names.length);
  for (const [name, { classValues, valueNames }] of attributes) {
    if (classValues && (classValues.length !== classNames.length || !within(classValues, valueNames)))
      throw damaged(where, `values of "${name}" that go with no class`);
  }
  if (training === null) return;
  const known = training.attributes.every((name, a) =>
    within(training.values[a]!, attributes.get(name)?.valueNames),
  );
  if (!known || !within(training.labels, classNames))
    throw damaged(where, "training counts of unknown classes or values");
}

function damaged(where: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "what the table says of itself is damaged",
    where,
    expected: "metadata as a run writes it, under the key cuelab",
    got,
    todo: "make the run again, or take the table to CSV and say with --cues and --train-counts what it is about",
  });
}
