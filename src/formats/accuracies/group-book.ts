/** Groups of images by class and attributes, as columns of accuracies: every combination, or one for each yes. */

import { CuelabError } from "../../core/errors.ts";
import { columnWords, mostGroups } from "../../core/group-words.ts";
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
  /** Of the groups so far, where combinations make them. */
  readonly #keys = new Set<string>();

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
    if (!this.#overlapping) {
      this.#keys.add(this.#groupKey({ label, values }).join("\0"));
      if (this.#keys.size > mostGroups) throw this.#tooMany();
    }
    this.#codes.set(key, this.#cells.length);
    this.#cells.push({ label, values });
    return this.#cells.length - 1;
  }

  /** Of what has been seen; classes and values by number where they are numbers, else by the alphabet. */
  groups(): ImageGroup[] {
    return this.#overlapping ? this.#yesGroups() : this.#combinations();
  }

  /** The class, if it makes groups, and the value of each attribute. */
  #groupKey({ label, values }: Cell): string[] {
    return [...(this.#byClass ? [label] : []), ...values];
  }

  #combinations(): ImageGroup[] {
    if (!this.#byClass && this.attributes.length === 0) return [];
    const found = new Map<string, { key: string[]; cells: number[] }>();
    for (const [code, cell] of this.#cells.entries()) {
      const key = this.#groupKey(cell);
      const group = found.get(key.join("\0")) ?? { key, cells: [] };
      group.cells.push(code);
      found.set(key.join("\0"), group);
    }
    const groups = [...found.values()].sort((a, b) => byParts(a.key, b.key));
    const titles = columnWords([...(this.#byClass ? [classWord] : []), ...this.attributes]);
    const words = titles.map((_, i) => wordsOf(groups.map(({ key }) => key[i]!)));
    return groups.map(({ key, cells }) => ({
      name: titles.map((title, i) => `${title}=${words[i]!.get(key[i]!)}`).join(" "),
      cells,
    }));
  }

  /** As in CivilComments; also groups that nobody is in, which are told as such. */
  #yesGroups(): ImageGroup[] {
    const labels = wordsOf(this.#cells.map(({ label }) => label));
    if (labels.size * this.attributes.length > mostGroups) throw this.#tooMany();
    const [title, ...titles] = columnWords([classWord, ...this.attributes]);
    return this.attributes.flatMap((attribute, i) => {
      const yes = this.#cells.map(({ values }) => truthOf(values[i]!, attribute));
      return [...labels].map(([label, word]) => ({
        name: `${title}=${word} ${titles[i]}=yes`,
        cells: [...this.#cells.keys()].filter((code) => yes[code] && this.#cells[code]!.label === label),
      }));
    });
  }

  #tooMany(): CuelabError {
    const option = this.#overlapping ? "--overlapping" : "--groups";
    return new CuelabError({
      kind: "usage",
      what: `there are more than ${mostGroups} groups`,
      expected: `after ${option}, columns of few values`,
      got: [...(this.#byClass ? [classWord] : []), ...this.attributes].join(", "),
      todo: "leave out columns that are numbers or names of images",
    });
  }
}

/** How each value is spelled in a column's name, in order. */
function wordsOf(values: readonly string[]): Map<string, string> {
  const sorted = [...new Set(values)].sort(byValue);
  const words = columnWords(sorted);
  return new Map(sorted.map((value, i) => [value, words[i]!]));
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
