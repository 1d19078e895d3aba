/** A sweep as people write it: what all runs share, what differs, which hyperparameters to search, which seeds. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { resolveSettings } from "../core/settings.ts";
import { selectionSchema } from "../training/selection.ts";
import { readYaml } from "./read-yaml.ts";
import { datasetLabel, sweepEntries } from "./sweep-entries.ts";

/** `optimiser.rate: [0.001, 0.0001]`: a place in the run's spec, and the values to try there. */
const gridSchema = z.record(z.string(), z.array(z.unknown()).min(1));

/** `{ log: [1e-5, 1e-2] }`, `{ between: [0, 1] }` or `{ of: [16, 32] }`. */
const rangeSchema = z.union([
  z.strictObject({ log: z.tuple([z.number().positive(), z.number().positive()]) }),
  z.strictObject({ between: z.tuple([z.number(), z.number()]) }),
  z.strictObject({ of: z.array(z.unknown()).min(1) }),
]);

const stageSchema = z.union([
  z.strictObject({ grid: gridSchema }),
  z.strictObject({ random: z.record(z.string(), rangeSchema), count: z.number().int().min(1) }),
  z.strictObject({ own: z.literal(true) }).describe("the ranges that each method itself declares"),
]);

const searchShape = {
  stages: z.array(stageSchema).min(1),
  select: selectionSchema,
  /** Rules that choose nothing: what each would have taken of the same trials is told beside it. */
  alsoSelect: z.array(selectionSchema).min(1).optional(),
};
const searchSchema = z.strictObject({ ...searchShape, seed: z.number().int().min(0).default(0) });

/** Laid over the sweep's own, whole keys at a time. */
const partialSearch = z.strictObject({ ...searchShape, seed: z.number().int().min(0) }).partial();

/** A list, or how many: 3 are 0, 1 and 2. */
const seedsSchema = z.union([
  z.array(z.number().int().min(0)).min(1),
  z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .transform((count) => Array.from({ length: count }, (_, seed) => seed)),
]);

export const sweepSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/, "letters, digits, dots, _ and - only"),
  /** Files beside it, or packages, whose methods, datasets, networks and views its runs may name. */
  plugins: z.array(z.string().min(1)).min(1).optional(),
  base: z.record(z.string(), z.unknown()),
  /** Every entry is run on each; beside `data` they may have what goes with it, such as groups to select by. */
  datasets: z
    .array(
      z
        .object({
          label: z.string().min(1).optional(),
          data: z.record(z.string(), z.unknown()),
          search: z.union([partialSearch, z.literal(false)]).optional(),
        })
        .catchall(z.unknown()),
    )
    .min(1)
    .optional(),
  runs: z
    .array(
      z
        .object({
          label: z.string().min(1),
          /** What differs from the sweep's search; false for none. */
          search: z.union([partialSearch, z.literal(false)]).optional(),
        })
        .catchall(z.unknown()),
    )
    .min(1)
    .default([{ label: "run" }]),
  seeds: seedsSchema.default([0]),
  search: searchSchema.optional(),
});

export type Sweep = z.output<typeof sweepSchema>;
export type SweepSearch = z.output<typeof searchSchema>;
export type PartialSearch = z.output<typeof partialSearch>;
export type SweepStage = z.output<typeof stageSchema>;
export type SweepRange = z.output<typeof rangeSchema>;

export function resolveSweep(given: unknown): Sweep {
  const sweep = resolveSettings(sweepSchema, given ?? {});
  const refused = (what: string, todo: string) => new CuelabError({ kind: "usage", what, todo });
  const labels = sweep.runs.map(({ label }) => label);
  const twice = labels.find((label, i) => labels.indexOf(label) < i);
  if (twice !== undefined)
    throw refused(`two entries of the sweep are labelled "${twice}"`, "tables are told apart by labels");
  if (new Set(sweep.seeds).size < sweep.seeds.length)
    throw refused("a seed is listed twice", "equal seeds give equal runs, which say nothing about spread");
  const { base, runs, datasets = [] } = sweep;
  const names = datasets.map(datasetLabel);
  const again = names.find((name, i) => names.indexOf(name) < i);
  if (again !== undefined)
    throw refused(`two datasets of the sweep are called "${again}"`, "give each a label of its own");
  if (datasets.length > 0 && [base, ...runs].some((part) => "data" in part))
    throw refused(
      "data stand in `datasets` or in `base` and `runs`, not in both",
      "move all of them to `datasets`",
    );
  const places = sweepEntries(sweep).flatMap(({ search }) =>
    (search?.stages ?? []).flatMap((stage) =>
      Object.keys("grid" in stage ? stage.grid : "random" in stage ? stage.random : {}),
    ),
  );
  if ([base, ...runs, ...datasets].some((part) => "seed" in part) || places.includes("seed"))
    throw refused("a sweep's seeds stand in `seeds`", "move seed there");
  if ("label" in base || places.includes("label"))
    throw refused("labels stand in `runs`, one an entry", "move label there");
  return sweep;
}

/** Reads YAML, of which JSON is a part. */
export async function parseSweep(text: string, where: string): Promise<Sweep> {
  const given = await readYaml(text, where, "the sweep");
  try {
    return resolveSweep(given);
  } catch (cause) {
    throw cause instanceof CuelabError ? new CuelabError({ where, ...cause.parts }) : cause;
  }
}

/** A sweep as a file that `parseSweep` reads. */
export async function sweepText(sweep: Sweep): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(sweep, { lineWidth: 110 });
}
