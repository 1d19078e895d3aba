/** Rows of our networks, or of those that were brought, in tables beside the paper's. */

import type { Cell, Row } from "../../core/section.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import type { Estimate, NetworkRow } from "../pretrained/networks.ts";
import { markedNumber } from "./gaps.ts";

/** A row each: its name, whose it is, and what the table tells of it. */
export function ourRows(networks: readonly NetworkRow[], cells: (network: NetworkRow) => Cell[]): Row[] {
  return networks.map((network) => ({
    source: "ours",
    marked: true,
    cells: [network.label, "ours", ...cells(network)],
  }));
}

/** A number of the class that the mark goes with; undefined where the network has no such class. */
export function ofClass(
  markedClass: string | undefined,
  of: (answer: NetworkAnswer, number: number) => Estimate | undefined,
) {
  return (answer: NetworkAnswer) => {
    const number = markedNumber(answer, markedClass);
    return number === undefined ? undefined : of(answer, number);
  };
}
