/** CivilComments-WILDS: is a comment toxic? Eight identities may be mentioned, several at once: 16 overlapping groups. */

import { decimalOf } from "../../core/decimal-of.ts";
import { CuelabError } from "../../core/errors.ts";
import type { WildsLayout } from "./layout.ts";

const identities = [
  "male",
  "female",
  "LGBTQ",
  "christian",
  "muslim",
  "other_religions",
  "black",
  "white",
] as const;

/** Columns hold the share of readers who said so; half of them make a yes. */
const half = 0.5;

export const civilComments: WildsLayout = {
  title: "CivilComments",
  table: "all_data_with_identities.csv",
  columns: ["comment_text", "split", "toxicity", ...identities],
  classNames: ["non-toxic", "toxic"],
  attributes: identities,
  shiftedSplits: [],
  overlapping: identities,
  open: (table) => (cell, row) => {
    const said = (column: string) => {
      const text = cell(column);
      const share = decimalOf(text);
      // Nobody was asked about identities in a comment where the cell is empty.
      if (text === "" && column !== "toxicity") return "0";
      if (text !== "" && share >= 0 && share <= 1) return share >= half ? "1" : "0";
      throw new CuelabError({
        kind: "input",
        what: `column "${column}" holds no share of readers`,
        where: `${table}, row ${row + 1}`,
        expected: "a number from 0 to 1",
        got: JSON.stringify(text),
      });
    };
    return { image: undefined, label: said("toxicity"), split: cell("split"), values: identities.map(said) };
  },
};
