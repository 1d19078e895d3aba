/** A run as people say it, in options or in a sweep's file, and the spec that follows: the one way from words to specs. */

import { resolve } from "node:path";
import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { resolveSettings } from "../core/settings.ts";
import { methods } from "../methods/index.ts";
import type { Preset } from "../methods/method.ts";
import { models } from "../models/index.ts";
import { type Model, resolveOptions } from "../models/model.ts";
import { chooseMethod, presetOf } from "./choose-method.ts";
import { DataBook, type DataHandle, dataWordsSchema } from "./data-book.ts";
import { type RunSpec, type RunSpecInput, resolveSpec, runSpecSchema } from "./run-spec.ts";
import { chosenPixels, describeWeights, pixelChoices } from "./weights.ts";

// Names tell which plugins there must be.
const { data: _, plugins: __, ...shape } = runSpecSchema.shape;

const networkWords = z.strictObject({
  ...shape,
  model: z.strictObject({
    name: z.string(),
    options: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  }),
  method: z
    .strictObject({
      name: z.string().optional(),
      settings: z.record(z.string(), z.unknown()).optional(),
      explicit: z.array(z.string()).optional(),
      /** What a paper trained the method with: beneath everything that is said otherwise. */
      preset: z.string().optional(),
    })
    .optional(),
  weights: z.strictObject({ path: z.string(), freshHead: z.boolean().optional() }).optional(),
  /** Whose mean and deviation, or the numbers themselves. */
  pixels: z.union([z.enum(pixelChoices), shape.pixels.unwrap()]).optional(),
});

export const runWords = networkWords.extend({ data: dataWordsSchema });

/** Everything but the data. */
export type NetworkWords = z.input<typeof networkWords>;
export type RunWords = z.input<typeof runWords>;

/** Unknown words are refused before anything is opened. */
export async function specFromWords(
  given: unknown,
  book: DataBook = new DataBook(),
  signal?: AbortSignal,
): Promise<RunSpec> {
  resolveSettings(runWords, given);
  const { data, ...words } = given as RunWords;
  return specOn(words, () => book.describe(data, signal));
}

/** The same for a command of its own, told what people would want to know of how their data was read. */
export async function specWithRemarks(
  given: RunWords,
  onRemark: (text: string) => void,
  signal?: AbortSignal,
): Promise<RunSpec> {
  const book = new DataBook();
  const spec = await specFromWords(given, book, signal);
  for (const remark of book.remarks) onRemark(remark);
  return spec;
}

/** The same of data that is known already. */
export async function specWithData(given: NetworkWords, handle: DataHandle): Promise<RunSpec> {
  resolveSettings(networkWords, given);
  return specOn(given, async () => handle);
}

async function specOn(
  { method: chosen = {}, weights, pixels, optimiser, ...words }: NetworkWords,
  describe: () => Promise<DataHandle>,
): Promise<RunSpec> {
  const { name = "erm", preset: presetName, settings = {}, explicit } = chosen;
  const method = methods.get(name);
  const preset = presetOf(method, presetName);
  const model = models.get(words.model.name);
  const options = resolveOptions(model, words.model.options ?? {});
  const optimised = { ...preset?.optimiser, ...optimiser };
  checkOptimiser(optimised);
  const beginning = await beginningOf({ weights, pixels }, model);
  const handle = await describe();
  return resolveSpec({
    ...(preset && { batchSize: preset.batchSize }),
    // So many steps are another length than the paper's.
    ...(preset && words.steps === undefined && { epochs: preset.epochs }),
    ...(preset?.augment && { augment: [...preset.augment] }),
    ...words,
    ...(preset?.select && { select: selectionOf(words.select, preset.select) }),
    ...beginning,
    model: { name: model.name, options: { ...options } },
    optimiser: optimised,
    method: await chooseMethod(method, { settings, preset, explicit }, handle),
    data: handle.data,
  });
}

/** A rule of one's own comes with its own groups; groups of one's own go with the preset's rule. */
function selectionOf(
  own: NetworkWords["select"],
  { by, groups = [] }: NonNullable<Preset["select"]>,
): NetworkWords["select"] {
  if (own?.by !== undefined) return own;
  return { by: by as RunSpec["select"]["by"], groups: [...groups], ...own };
}

/** An option without effect is a mistake that nobody would notice. */
function checkOptimiser({ name = "adam", momentum, nesterov }: NonNullable<RunSpecInput["optimiser"]>): void {
  const idle = momentum !== undefined ? "momentum" : nesterov === true ? "nesterov" : undefined;
  if (name === "sgd" || idle === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `${idle} has no effect on ${name}`,
    todo: "choose sgd (--optimiser sgd, or optimiser: { name: sgd } in a sweep), or leave it away",
  });
}

/** A file of weights by its content, and how the network sees pixels: as is said, or as goes with the weights. */
async function beginningOf(
  { weights, pixels }: Pick<NetworkWords, "weights" | "pixels">,
  { name, pixels: kind, usualPixels }: Model,
): Promise<Pick<RunSpecInput, "weights" | "pixels">> {
  if (pixels !== undefined && kind !== "standard")
    throw new CuelabError({
      kind: "usage",
      what: `pixels has no effect on model "${name}", which does not standardise its pixels`,
      todo: "leave --pixels, or pixels in a sweep, away",
    });
  const described = weights && (await describeWeights(resolve(weights.path)));
  const usual = usualPixels && chosenPixels(usualPixels);
  const statistics =
    pixels === undefined
      ? (described?.pixels ?? usual)
      : typeof pixels === "string"
        ? chosenPixels(pixels)
        : pixels;
  const isUsed = kind === "standard" && statistics !== undefined;
  return {
    ...(described && {
      weights: { path: described.path, digest: described.digest, freshHead: weights?.freshHead ?? false },
    }),
    ...(isUsed && { pixels: { mean: [...statistics.mean], deviation: [...statistics.deviation] } }),
  };
}
