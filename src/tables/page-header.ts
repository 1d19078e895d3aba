/**
 * The header of a page: what reading needs of PageHeader in parquet.thrift. hyparquet's own reader of it loads a dozen
 * files that are for nothing else here, in every thread.
 */

import type { Encoding, PageType } from "hyparquet";
import { Encodings, PageTypes } from "hyparquet/src/constants.js";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";

export interface PageHeader {
  type: PageType | undefined;
  /** Bytes behind the header, and what they become. */
  packed: number;
  unpacked: number;
  /** Of pages of values, and of dictionaries. */
  values: number | undefined;
  /** Of pages of values. */
  encoding: Encoding | undefined;
  /** Of pages of the second version, where levels stand before what is packed. */
  levels: { definition: number; repetition: number; packed: boolean } | undefined;
}

/** Moves the reader behind the header. Numbers that are none are NaN, which no check lets pass. */
export function readPageHeader(reader: { view: DataView; offset: number }): PageHeader {
  const fields = structOf(deserializeTCompactProtocol(reader))!;
  const [first, dictionary, second] = [fields.field_5, fields.field_7, fields.field_8].map(structOf);
  const type = PageTypes[numberOf(fields.field_1)];
  const described = type === "DICTIONARY_PAGE" ? dictionary : (second ?? first);
  requireFields(fields, [1, 2, 3], "a page");
  requireFields(dictionary, [1, 2], "a dictionary");
  requireFields(first, [1, 2, 3, 4], "a page of values");
  requireFields(second, [1, 2, 3, 4, 5, 6], "a page of values");
  const coded = second ? second.field_4 : first?.field_2;
  return {
    type,
    unpacked: numberOf(fields.field_2),
    packed: numberOf(fields.field_3),
    values: described && numberOf(described.field_1),
    encoding: Encodings[numberOf(coded)],
    levels: second && {
      definition: numberOf(second.field_5),
      repetition: numberOf(second.field_6),
      packed: second.field_7 !== false,
    },
  };
}

type Fields = Readonly<Partial<Record<`field_${number}`, unknown>>>;

/** Others refuse headers without what the format wants, also where we would not need it. */
function requireFields(fields: Fields | undefined, wanted: readonly number[], whose: string): void {
  const missing = fields && wanted.find((field) => fields[`field_${field}`] === undefined);
  if (missing !== undefined) throw new Error(`the header of ${whose} lacks its field ${missing}`);
}

function structOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}
