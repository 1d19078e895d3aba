/**
 * The header of a page: what reading needs of PageHeader in parquet.thrift. hyparquet's own reader of it loads a dozen
 * files that are for nothing else here, in every thread.
 */

import type { Encoding, PageType } from "hyparquet";
import { Encodings, PageTypes } from "hyparquet/src/constants.js";
import { readPageFields } from "./parquet-shape.ts";
import type { ThriftFields, ThriftValue } from "./thrift.ts";

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
  const { 1: kind, 2: unpacked, 3: packed, 5: first, 7: dictionary, 8: second } = readPageFields(reader);
  const type = PageTypes[numberOf(kind)];
  const described = structOf(type === "DICTIONARY_PAGE" ? dictionary : (second ?? first));
  const levels = structOf(second);
  const coded = levels ? levels[4] : structOf(first)?.[2];
  return {
    type,
    unpacked: numberOf(unpacked),
    packed: numberOf(packed),
    values: described && numberOf(described[1]),
    encoding: Encodings[numberOf(coded)],
    levels: levels && {
      definition: numberOf(levels[5]),
      repetition: numberOf(levels[6]),
      packed: levels[7] !== false,
    },
  };
}

function structOf(value: ThriftValue): ThriftFields | undefined {
  return value as ThriftFields | undefined;
}

function numberOf(value: ThriftValue): number {
  return typeof value === "number" ? value : Number.NaN;
}
