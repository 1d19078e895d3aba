/** Right predictions of many models, by split and by combination of class and attributes, as a table of accuracies. */

import { CuelabError } from "../../core/errors.ts";
import type { AccuracyTable, MeasuredEnvironment } from "./column-table.ts";
import type { GroupBook } from "./group-book.ts";
import { memoryColumns } from "./memory-columns.ts";

/** Images of each combination of the book, by its code, and how many of them were got right. */
export interface ModelTally {
  /** Where it was counted. */
  file: string;
  all: ArrayLike<number>;
  right: ArrayLike<number>;
}

interface TalliedModel {
  texts: Readonly<Record<string, string>>;
  splits: Map<string, ModelTally>;
}

export class ModelTallies {
  readonly #book: GroupBook;
  readonly #models = new Map<string, TalliedModel>();
  readonly #splits = new Set<string>();

  constructor(book: GroupBook) {
    this.#book = book;
  }

  /** `texts` tell models apart; each has one tally a split. */
  add(texts: Readonly<Record<string, string>>, split: string, tally: ModelTally): void {
    const key = Object.values(texts).join("\n");
    const model = this.#models.get(key) ?? { texts, splits: new Map<string, ModelTally>() };
    this.#models.set(key, model);
    const there = model.splits.get(split);
    if (there !== undefined) throw twice(texts, split, there.file, tally.file);
    model.splits.set(split, tally);
    this.#splits.add(split);
  }

  /** A column an environment and one a group in it. Environments are the splits, and those asked for such as `val+test`. */
  table(path: string, asked: readonly string[]): AccuracyTable {
    const models = [...this.#models.values()];
    const joined = asked.filter(
      (name) => !this.#splits.has(name) && partsOf(name, this.#splits) !== undefined,
    );
    const groups = this.#book.groups();
    const rows = models.map(({ texts }) => new Map<string, string | number>(Object.entries(texts)));
    const environments = [...new Set([...this.#splits, ...joined])].map((name): MeasuredEnvironment => {
      const parts = partsOf(name, this.#splits)!;
      const sums = models.map(({ splits }) => {
        const tallies = parts.map((part) => splits.get(part));
        return tallies.includes(undefined) ? undefined : (tallies as ModelTally[]);
      });
      const column = (title: string, cells: readonly number[] | undefined) => {
        let images = 0;
        for (const [i, tallies] of sums.entries()) {
          if (tallies === undefined) continue;
          const [all, right] = [total(tallies, "all", cells), total(tallies, "right", cells)];
          images = Math.max(images, all);
          if (all > 0) rows[i]!.set(title, right / all);
        }
        return images;
      };
      const images = column(name, undefined);
      return {
        name,
        images,
        groups: groups.map(({ name: group, cells }) => {
          const title = `${name} ${group}`;
          return { name: group, column: title, images: column(title, cells) };
        }),
      };
    });
    const titles = environments.flatMap((environment) => [
      environment.name,
      ...environment.groups.filter(({ images }) => images > 0).map(({ column }) => column),
    ]);
    const columns = [...Object.keys(models[0]?.texts ?? {}), ...titles];
    return { ...memoryColumns(path, columns, rows), environments };
  }
}

function twice(
  texts: Readonly<Record<string, string>>,
  split: string,
  first: string,
  second: string,
): CuelabError {
  const model = Object.entries(texts).map(([name, value]) => `${name} ${value}`);
  return new CuelabError({
    kind: "input",
    what: `a model has predictions for split "${split}" twice`,
    where: first === second ? first : `${first}, ${second}`,
    expected: "one file for each model and split",
    got: model.join(", "),
    todo: "give each file once, and models that differ in something else a folder each",
  });
}

/** `val+test` are two splits that count as one; undefined where a part is none. */
function partsOf(name: string, splits: ReadonlySet<string>): string[] | undefined {
  if (splits.has(name)) return [name];
  const parts = [...new Set(name.split("+"))];
  return parts.every((part) => splits.has(part)) ? parts : undefined;
}

/** Over all combinations, or some. */
function total(
  tallies: readonly ModelTally[],
  what: "all" | "right",
  cells: readonly number[] | undefined,
): number {
  let sum = 0;
  for (const tally of tallies) {
    const counts = tally[what];
    if (cells === undefined) for (let i = 0; i < counts.length; i++) sum += counts[i]!;
    else for (const cell of cells) sum += counts[cell] ?? 0;
  }
  return sum;
}
