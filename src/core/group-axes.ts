/** What groups are made of: the class and attributes, each a column of codes with the values that they stand for. */

import { CuelabError } from "./errors.ts";
import { columnWords } from "./group-words.ts";
import { didYouMean } from "./nearest.ts";
import { truthOf } from "./truth.ts";

export type Codes = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** One attribute of every row: codes, and their values in the order in which groups are listed. */
export interface AttributeColumn {
  values: Codes;
  valueNames: readonly string[];
}

/** Rows that can be grouped: a dataset is this, and so is a table of cells. */
export interface Columns {
  /** Rows of a table of accuracies have no class of their own. */
  labels?: Codes;
  classNames?: readonly string[];
  attributes: Readonly<Record<string, AttributeColumn>>;
}

/** The name of the class among the attributes. */
export const classWord = "class";

interface AxisParts {
  name: string;
  /** The name as part of a column's name. */
  title: string;
  names: readonly string[];
  codes: Codes;
  isClass: boolean;
}

export class Axis implements AxisParts {
  readonly name: string;
  readonly title: string;
  readonly names: readonly string[];
  readonly codes: Codes;
  readonly isClass: boolean;
  #words: readonly string[] | undefined;
  readonly #phrases: string[] = [];

  constructor({ name, title, names, codes, isClass }: AxisParts) {
    this.name = name;
    this.title = title;
    this.names = names;
    this.codes = codes;
    this.isClass = isClass;
  }

  /** The same column under other words for its values. */
  saying(names: readonly string[]): Axis {
    const { name, title, codes, isClass } = this;
    return new Axis({ name, title, names, codes, isClass });
  }

  /** A value as part of a sentence, such as `place water`. */
  phrase(code: number): string {
    this.#phrases[code] ??= `${this.name} ${this.names[code]}`;
    return this.#phrases[code];
  }

  /** A value as part of a column's name. */
  word(code: number): string {
    this.#words ??= columnWords(this.names);
    return this.#words[code]!;
  }
}

/** The columns of these names, each once. Where rows have a class, `class` is that, and no attribute's name. */
export function axesOf(columns: Columns, by: readonly string[]): Axis[] {
  for (const [i, name] of by.entries()) {
    if (by.indexOf(name) !== i) throw name === classWord ? classAttribute() : namedTwice(name);
  }
  const titles = columnWords(by);
  return by.map((name, i) => {
    const isClass = name === classWord && columns.labels !== undefined;
    const { values, valueNames } = isClass
      ? { values: columns.labels!, valueNames: columns.classNames! }
      : attributeOf(columns, name);
    return new Axis({ name, title: titles[i]!, names: valueNames, codes: values, isClass });
  });
}

/** Which values are yes. */
export function yesCodes({ name, names }: Axis): Uint8Array {
  return Uint8Array.from(names, (value) => Number(truthOf(value, name)));
}

export interface NamedAttributes {
  /** What the names are for, such as `--groups`. */
  where: string;
  /** In the dataset's order, so that equal choices are one; else in the order given. */
  datasetOrder?: boolean;
  /** What there is to name, where that is more than a list. */
  expected?: string;
}

/**
 * The attributes that people name to make groups beside the class. The class is part of every such group: naming it is
 * allowed and changes nothing.
 */
export function namedAttributes(
  { attributes }: Pick<Columns, "attributes">,
  given: readonly string[],
  { where, datasetOrder = false, expected }: NamedAttributes,
): string[] {
  const known = Object.keys(attributes);
  if (given.includes(classWord) && known.includes(classWord)) throw classAttribute(where);
  const names = given.filter((name) => name !== classWord);
  for (const [i, name] of names.entries()) {
    if (!known.includes(name)) throw noAttribute(name, known, where, expected);
    if (names.indexOf(name) !== i) throw namedTwice(name, where);
  }
  return datasetOrder ? known.filter((name) => names.includes(name)) : names;
}

function attributeOf({ attributes }: Columns, name: string): AttributeColumn {
  // People name it: `constructor` is no attribute unless there is one.
  if (Object.hasOwn(attributes, name)) return attributes[name]!;
  throw noAttribute(name, Object.keys(attributes));
}

function noAttribute(
  name: string,
  known: readonly string[],
  where?: string,
  expected = `class, or some of: ${known.join(", ")}`,
): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `there is no attribute "${name}" to make groups by`,
    ...(where === undefined ? {} : { where }),
    expected,
    ...didYouMean(name, known),
  });
}

export function namedTwice(name: string, where?: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `attribute "${name}" is named twice`,
    ...(where === undefined ? {} : { where }),
    todo: "name every attribute once",
  });
}

/** An attribute of the class's name would hide the class, or be hidden by it. */
export function classAttribute(where?: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: 'an attribute cannot be named "class": groups use that name themselves',
    ...(where === undefined ? {} : { where }),
    todo: "rename that column in your table; the class itself goes by the name class in every group",
  });
}
