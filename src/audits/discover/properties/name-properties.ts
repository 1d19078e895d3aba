/** Properties of files' names: what is left of them without class and split. */

import { type NameFacts, seriesOf } from "../files/name-facts.ts";
import type { Property } from "./property.ts";

export const nameProperties: readonly Property<NameFacts>[] = [
  {
    name: "sub-folder",
    description: "folders between class and file",
    kind: "name",
    measure: ({ folder }) => folder || "none",
  },
  {
    name: "name prefix",
    description: "what stands before the first digit of the file's name",
    kind: "name",
    measure: ({ stem }) => /^\D*/.exec(stem)![0].toLowerCase() || "none",
  },
  {
    name: "name ending",
    description: "the file's extension as it is written",
    kind: "name",
    measure: ({ ending }) => ending || "none",
  },
  {
    name: "name pattern",
    description: "letters of the file's name as a, digits as 0, each repeated ones once",
    kind: "name",
    measure: ({ stem }) => stem.replace(/\p{L}+/gu, "a").replace(/\d+/g, "0"),
  },
  {
    name: "name length",
    description: "characters of the file's name without its extension",
    kind: "number",
    measure: ({ stem }) => stem.length,
  },
  {
    name: "name number",
    description: "the number at the end of the file's name",
    kind: "number",
    measure: (name) => seriesOf(name)?.number,
  },
];
