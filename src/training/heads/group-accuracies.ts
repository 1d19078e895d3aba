/** How many of each group many heads tell right, all at once. */

import { Executable } from "../../engine/executable.ts";
import { add, input, matmul } from "../../engine/expressions.ts";
import { blockRows, type HeadRows } from "./head-rows.ts";
import type { SolvedHead } from "./solve-heads.ts";

export interface GroupAccuracy {
  /** Share that is told right, by group. */
  groups: readonly number[];
  worst: number;
  /** Every group counting the same. */
  mean: number;
}

export interface GroupAccuracyOptions {
  /** Of each row. */
  labels: ArrayLike<number>;
  groups: ArrayLike<number>;
  /** Groups that there are. */
  count: number;
  threads: number;
}

const headsAtOnce = 64;

export async function groupAccuracies(
  rows: HeadRows,
  heads: readonly Pick<SolvedHead, "weight" | "bias">[],
  { labels, groups, count, threads }: GroupAccuracyOptions,
): Promise<GroupAccuracy[]> {
  const { width } = rows;
  const classes = heads[0]!.bias.length;
  const columns = headsAtOnce * classes;
  const logits = add(
    matmul(input("x", [blockRows, width]), input("weight", [width, columns])),
    input("bias", [columns]),
  );
  const executable = await Executable.compile({ outputs: { logits } }, { threads });
  const sizes = new Float64Array(count);
  for (let row = 0; row < rows.count; row++) sizes[groups[row]!]!++;
  const found: GroupAccuracy[] = [];
  try {
    for (let from = 0; from < heads.length; from += headsAtOnce) {
      const some = heads.slice(from, from + headsAtOnce);
      const [weight, bias] = [new Float32Array(width * columns), new Float32Array(columns)];
      for (const [h, head] of some.entries())
        for (let c = 0; c < classes; c++) {
          bias[h * classes + c] = head.bias[c]!;
          for (let k = 0; k < width; k++) weight[k * columns + h * classes + c] = head.weight[c * width + k]!;
        }
      const right = some.map(() => new Float64Array(count));
      for (let block = 0; block * blockRows < rows.count; block++) {
        const said = (await executable.run({ x: await rows.block(block), weight, bias })).logits!;
        for (let i = 0, row = block * blockRows; i < blockRows && row < rows.count; i++, row++)
          for (const h of some.keys()) {
            const at = i * columns + h * classes;
            let best = 0;
            for (let c = 1; c < classes; c++) if (said[at + c]! > said[at + best]!) best = c;
            if (best === labels[row]) right[h]![groups[row]!]!++;
          }
      }
      for (const own of right) {
        const shares = Array.from(own, (value, group) => value / sizes[group]!);
        found.push({
          groups: shares,
          worst: Math.min(...shares),
          mean: shares.reduce((a, b) => a + b, 0) / count,
        });
      }
    }
    return found;
  } finally {
    await executable.close();
  }
}
