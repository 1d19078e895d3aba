/** How networks of ours were trained, and whether that had come to rest: only those that had are compared. */

import type { Row, Section } from "../../core/section.ts";
import type { Measured } from "../jobs/kinds.ts";
import { isTrained, riseCell, untrained } from "../plateau.ts";
import { accuracyCell, casesOf } from "../summaries.ts";
import { ownNetworks } from "./own-networks.ts";

export function trainingSections(measured: readonly Measured[]): Section[] {
  const cases = casesOf(measured, ownNetworks);
  if (cases.length === 0) return [];
  return [
    {
      name: "training",
      heading: "Whether training had come to rest",
      text: "Networks whose accuracy on the validation photographs still rose by a point or more over the last fifth of the epochs are untrained, and compared with nothing.",
      tables: [
        {
          name: "training",
          caption:
            "Networks of ours: rises in points, mean over seeds; accuracy on the test photographs of their own world, in per cent",
          columns: [
            { title: "Network" },
            { title: "Accuracy" },
            { title: "Epochs" },
            { title: "Rise on validation over the last fifth, points" },
            { title: "Training" },
          ],
          rows: cases.map((each): Row => {
            const [first] = each.runs;
            return {
              cells: [
                each.method,
                accuracyCell(each),
                first === undefined
                  ? null
                  : { value: first.validation.length, text: String(first.validation.length) },
                first === undefined ? null : riseCell([each]),
                first === undefined ? null : isTrained(each) ? "at rest" : untrained,
              ],
            };
          }),
        },
      ],
    },
  ];
}
