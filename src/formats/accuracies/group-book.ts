/** Groups of images by class and attributes, as columns of accuracies: every combination, or one for each yes. */

import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import { truthOf } from "../../core/truth.ts";

/** What people choose; one of the two at most. */
export interface GroupChoice {
  /** Columns whose values together make a group; `class` or its own column's name stands for the class. */
  groups?: readonly string[] | undefined;
  /** Columns of yes and no, of which each yes makes a group by class: images may be in several, or none. */
  overlapping?: readonly string[] | undefined;
}

export interface ImageGroup {
  /** As in a column's name: `class=0 place=1`. */
  name: string;
  /** Codes of the combinations that belong to it. */
  cells: readonly number[];
}

interface Cell {
  label: string;
  values: readonly string[];
}

const classWord = "class";
/** More combinations than this are a mistake in the choice of columns. */
const mostCells = 10_000;

/** Codes of combinations of class and attribute values, in order of appearance, and the groups that they make. */
export class GroupBook {
  /** To be read of each image, beside its class. */
  readonly attributes: readonly string[];
  readonly #byClass: boolean;
  readonly #overlapping: boolean;
  readonly #cells: Cell[] = [];
  readonly #codes = new Map<string, number>();

  constructor(choice: GroupChoice, label: string, columns: readonly string[], path: string) {
    const { groups = [], overlapping } = choice;
    if (overlapping !== undefined && choice.groups !== undefined) {
      throw new CuelabError({
        kind: "usage",
        what: "--groups and --overlapping are two ways to make groups",
        todo: "choose one of them",
      });
    }
    const isClass = (name: string) => name === label || (name === classWord && !columns.includes(classWord));
    this.#overlapping = overlapping !== undefined;
    this.#byClass = this.#overlapping || groups.some(isClass);
    this.attributes = overlapping ?? groups.filter((name) => !isClass(name));
    for (const name of this.attributes) {
      if (columns.includes(name)) continue;
      const close = nearest(name, columns);
      throw new CuelabError({
        kind: "usage",
        what: `the labels have no column "${name}"`,
        where: `${this.#overlapping ? "--overlapping" : "--groups"}, ${path}`,
        expected: `class, or one of: ${columns.join(", ")}`,
        ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
      });
    }
  }

  get size(): number {
    return this.#cells.length;
  }

  /** The code of a combination; `values` are those of the attributes. */
  code(label: string, values: readonly string[]): number {
    const key = [label, ...values].join("\0");
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.#cells.length === mostCells) {
      throw new CuelabError({
        kind: "usage",
        what: "there are too many groups",
        expected: `columns of which at most ${mostCells.toLocaleString("en")} combinations with the class occur`,
        got: this.attributes.join(", "),
      });
    }
    this.#codes.set(key, this.#cells.length);
    this.#cells.push({ label, values });
    return this.#cells.length - 1;
  }

  /** Of what has been seen; classes and values by number where they are numbers, else by the alphabet. */
  groups(): ImageGroup[] {
    return this.#overlapping ? this.#yesGroups() : this.#combinations();
  }

  #combinations(): ImageGroup[] {
    if (!this.#byClass && this.attributes.length === 0) return [];
    const found = new Map<string, { key: string[]; cells: number[] }>();
    for (const [code, { label, values }] of this.#cells.entries()) {
      const key = [...(this.#byClass ? [label] : []), ...values];
      const group = found.get(key.join("\0")) ?? { key, cells: [] };
      group.cells.push(code);
      found.set(key.join("\0"), group);
    }
    const titles = [...(this.#byClass ? [classWord] : []), ...this.attributes];
    return [...found.values()]
      .sort((a, b) => byParts(a.key, b.key))
      .map(({ key, cells }) => ({ name: nameOf(titles.map((title, i) => [title, key[i]!])), cells }));
  }

  /** As in CivilComments; also groups that nobody is in, which are told as such. */
  #yesGroups(): ImageGroup[] {
    const labels = [...new Set(this.#cells.map(({ label }) => label))].sort(byValue);
    return this.attributes.flatMap((attribute, i) => {
      const yes = this.#cells.map(({ values }) => truthOf(values[i]!, attribute));
      return labels.map((label) => ({
        name: nameOf([
          [classWord, label],
          [attribute, "yes"],
        ]),
        cells: [...this.#cells.keys()].filter((code) => yes[code] && this.#cells[code]!.label === label),
      }));
    });
  }
}

/** Commas part columns on a command line, and spaces part the words of a column's name. */
function nameOf(parts: readonly (readonly [string, string])[]): string {
  const word = (text: string) => text.trim().replaceAll(/[\s,='"`$\\]+/g, "_");
  return parts.map(([title, value]) => `${word(title)}=${word(value)}`).join(" ");
}

function byParts(a: readonly string[], b: readonly string[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return byValue(value, b[i]!);
  return 0;
}

function byValue(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (a.trim() !== "" && b.trim() !== "" && Number.isFinite(x) && Number.isFinite(y) && x !== y) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}
