/** Groups of images by class and attributes, as columns of accuracies: every combination, or one for each yes. */

import { CuelabError } from "../../core/errors.ts";
import {
  type AttributeColumn,
  type Columns,
  classAttribute,
  classWord,
  namedTwice,
} from "../../core/group-axes.ts";
import { mostGroups } from "../../core/group-words.ts";
import { type Grouping, groupsOf, spelled } from "../../core/grouping.ts";
import { lookUp } from "../../core/look-up.ts";
import { nearest } from "../../core/nearest.ts";
import { inValueOrder } from "../../core/value-order.ts";
import type { PredictionTable } from "../table.ts";

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

interface GroupCell {
  label: string;
  values: readonly string[];
}

/** More combinations than this are a mistake in the choice of columns. */
const mostCells = 10_000;

/** Codes of combinations of class and attribute values, in order of appearance, and the groups that they make. */
export class GroupBook {
  /** To be read of each image, beside its class. */
  readonly attributes: readonly string[];
  readonly #grouping: Grouping;
  /** Where the labels' file declares them. */
  readonly #classNames: readonly string[];
  readonly #cells: GroupCell[] = [];
  readonly #codes = new Map<string, number>();

  constructor(
    choice: GroupChoice,
    label: string,
    { columns, path, classNames = [] }: Pick<PredictionTable, "columns" | "path" | "classNames">,
  ) {
    const { groups = [], overlapping } = choice;
    if (overlapping !== undefined && choice.groups !== undefined) {
      throw new CuelabError({
        kind: "usage",
        what: "--groups and --overlapping are two ways to make groups",
        todo: "choose one of them",
      });
    }
    const where = `${overlapping === undefined ? "--groups" : "--overlapping"}, ${path}`;
    const named = overlapping ?? groups;
    // A table may call its classes "class"; a further column of that name would be something else.
    if (label !== classWord && columns.includes(classWord) && named.includes(classWord))
      throw classAttribute(where);
    const isClass = (name: string) => name === label || name === classWord;
    const byClass = overlapping !== undefined || groups.some(isClass);
    this.attributes = overlapping ?? groups.filter((name) => !isClass(name));
    for (const [i, name] of this.attributes.entries()) {
      if (this.attributes.indexOf(name) !== i) throw namedTwice(name, where);
      if (columns.includes(name)) continue;
      const close = nearest(name, columns);
      throw new CuelabError({
        kind: "usage",
        what: `the labels have no column "${name}"`,
        where,
        expected: `class, or one of: ${columns.join(", ")}`,
        ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
      });
    }
    this.#classNames = classNames;
    this.#grouping = {
      by: [...(byClass ? [classWord] : []), ...this.attributes],
      overlapping: overlapping !== undefined,
    };
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
      // Of too many groups there is more to say.
      this.groups();
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

  /** Of what has been seen; of overlapping ones also those that nobody is in, which are told as such. */
  groups(): ImageGroup[] {
    const { by, overlapping } = this.#grouping;
    if (by.length === 0) return [];
    const found = groupsOf(this.#columns(), this.#grouping);
    if (found.sizes.length > mostGroups) throw this.#tooMany();
    return found
      .listed()
      .filter(({ code }) => overlapping || code !== undefined)
      .map(({ group, code }) => ({
        name: spelled(group, "column"),
        cells: code === undefined ? [] : [...found.members(code)],
      }));
  }

  /** Combinations as rows, with classes and values in the order that is declared, or in their own. */
  #columns(): Columns {
    const labels = this.#column(({ label }) => label, this.#classNames);
    return {
      labels: labels.values,
      classNames: labels.valueNames,
      attributes: Object.fromEntries(
        this.attributes.map((name, i) => [name, this.#column(({ values }) => values[i]!, [])]),
      ),
    };
  }

  #column(textOf: (cell: GroupCell) => string, declared: readonly string[]): AttributeColumn {
    const texts = this.#cells.map(textOf);
    const { names } = inValueOrder([...new Set(texts)], declared);
    const codes = new Map(names.map((name, code) => [name, code]));
    return { values: Int32Array.from(texts, (text) => lookUp(codes, text)), valueNames: names };
  }

  #tooMany(): CuelabError {
    const { by, overlapping } = this.#grouping;
    return new CuelabError({
      kind: "usage",
      what: `there are more than ${mostGroups} groups`,
      expected: `after ${overlapping ? "--overlapping" : "--groups"}, columns of few values`,
      got: by.join(", "),
      todo: "leave out columns that are numbers or names of images",
    });
  }
}
