/** A pool's table as a question has it: one ID accuracy a point, and the accuracy of each set of images that is asked about. */

import { CuelabError } from "../core/errors.ts";
import { writeWhole } from "../disk/write-whole.ts";
import type { FoundPool } from "./make-pool.ts";
import { csvOf, drawColumn, type PoolRow } from "./pool-table.ts";

export interface JudgedImages {
  /** Of its column. */
  name: string;
  /** The environment or split that the images are in. */
  environment: string;
  /** Those alone that have one of these sets of values, of the class and of the pool's groups. */
  images?: readonly Readonly<Record<string, string>>[];
}

export const idColumn = "ID";

/** What counts the same in an accuracy: every image, or every class, for which a pool needs groups of the class. */
export type AccuracyOver = "images" | "classes";

/** The ID accuracy is the mean of all environments that were trained on. */
export function judgedRows(
  pool: FoundPool,
  judged: readonly JudgedImages[],
  over: AccuracyOver = "images",
): PoolRow[] {
  const [fold] = pool.folds;
  const weighed = (each: JudgedImages) =>
    over === "images"
      ? [setsOf(pool, each)]
      : byClass(setsOf(pool, { ...each, images: each.images ?? [{}] }));
  const home = fold!.training.map((environment) =>
    weighed({ name: idColumn, environment: pool.plan.environments[environment]!.name }),
  );
  const sets = judged.map((each) => ({ name: each.name, parts: weighed(each) }));
  const meanOfParts = (row: PoolRow, parts: readonly (readonly WeighedColumn[])[]) =>
    parts.reduce((sum, part) => sum + meanOver(row, part), 0) / parts.length;
  return pool.rows.map((row) => ({
    ...Object.fromEntries(kept.map((name) => [name, row[name]!])),
    [idColumn]: home.reduce((sum, parts) => sum + meanOfParts(row, parts), 0) / home.length,
    ...Object.fromEntries(sets.map(({ name, parts }) => [name, meanOfParts(row, parts)])),
  }));
}

export async function writeJudgedTable(
  path: string,
  pool: FoundPool,
  judged: readonly JudgedImages[],
  over?: AccuracyOver,
): Promise<void> {
  await writeWhole(path, csvOf(judgedRows(pool, judged, over)), { overwrite: true });
}

/** What tells points apart, and which belong together. */
const kept = ["classifier", drawColumn, "family", "features", "step"] as const;

interface WeighedColumn {
  column: string;
  images: number;
  /** Undefined of all images together. */
  class: string | undefined;
}

function byClass(sets: readonly WeighedColumn[]): WeighedColumn[][] {
  const names = [...new Set(sets.map((set) => set.class))];
  return names.map((name) => sets.filter((set) => set.class === name));
}

function setsOf({ plan, measured }: FoundPool, { name, environment, images }: JudgedImages): WeighedColumn[] {
  const position = plan.environments.findIndex((known) => known.name === environment);
  const there = measured.sets.filter((set) => set.environment === position && set.part === "out");
  const wanted = there.filter(({ group }) =>
    images === undefined
      ? group === undefined
      : group !== undefined &&
        images.some((values) => Object.entries(values).every(([key, value]) => group[key] === value)),
  );
  if (wanted.length > 0)
    return wanted.map(({ column, group, indices }) => ({
      column,
      images: indices.length,
      class: group?.class,
    }));
  throw new CuelabError({
    kind: "input",
    what: `the pool has no images to judge "${name}" by`,
    where: environment,
    expected: images === undefined ? "such an environment" : JSON.stringify(images),
    got:
      there.map(({ column }) => column).join(", ") || plan.environments.map((known) => known.name).join(", "),
  });
}

/** Groups count by their images, so that it is the accuracy of all of them. */
function meanOver(row: PoolRow, sets: readonly WeighedColumn[]): number {
  const total = sets.reduce((sum, { images }) => sum + images, 0);
  return sets.reduce((sum, { column, images }) => sum + (accuracyAt(row, column) * images) / total, 0);
}

function accuracyAt(row: PoolRow, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new CuelabError({
    kind: "input",
    what: "a row of the pool's table has no accuracy of images that it is judged by",
    where: `classifier ${row.classifier}, step ${row.step}`,
    expected: `a number in column ${column}`,
    got: value === undefined || value === null ? "none" : value,
  });
}
