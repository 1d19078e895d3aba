/** Camelyon17-WILDS: patches of tissue from five hospitals, two of which are kept for validation and test. */

import { CuelabError } from "../../core/errors.ts";
import type { WildsLayout } from "./layout.ts";

/** Hospitals that are not trained on; the table's own splits are about the others. */
const heldOut: Readonly<Record<string, string>> = { "1": "val", "2": "test" };

const splits: Readonly<Record<string, string>> = { "0": "train", "1": "id_val" };

export const camelyon17: WildsLayout = {
  title: "Camelyon17",
  table: "metadata.csv",
  columns: ["patient", "node", "x_coord", "y_coord", "tumor", "slide", "center", "split"],
  classNames: ["normal", "tumor"],
  attributes: ["hospital", "slide"],
  environment: "hospital",
  shiftedSplits: ["val", "test"],
  groups: ["slide"],
  open: (table) => (cell, row) => {
    const one = (column: string, allowed: readonly string[]) => {
      const value = whole(cell(column));
      if (allowed.includes(value)) return value;
      throw new CuelabError({
        kind: "input",
        what: `column "${column}" holds what Camelyon17 does not have`,
        where: `${table}, row ${row + 1}`,
        expected: `one of: ${allowed.join(", ")}`,
        got: JSON.stringify(cell(column)),
      });
    };
    const hospital = one("center", ["0", "1", "2", "3", "4"]);
    const place = `patient_${cell("patient")}_node_${whole(cell("node"))}`;
    const corner = `x_${whole(cell("x_coord"))}_y_${whole(cell("y_coord"))}`;
    return {
      image: `patches/${place}/patch_${place}_${corner}.png`,
      label: one("tumor", ["0", "1"]),
      split: heldOut[hospital] ?? splits[one("split", ["0", "1"])]!,
      values: [hospital, whole(cell("slide"))],
    };
  },
};

/** Tables that went through other programs write 3 as 3.0. */
function whole(text: string): string {
  return text.replace(/\.0+$/, "");
}
