/** Pools of small classifiers of every pair in ZGO: does OOD accuracy follow ID accuracy, as if there were no shortcut? */

import { cheapPool } from "../cheap-pool.ts";
import type { PoolsJob } from "../jobs/pools-job.ts";
import type { FactorPair } from "./pairs.ts";
import type { DiagvibPreset } from "./presets.ts";

const linesPart = "lines";

export function linesJob({ pairs, samples, data, size }: DiagvibPreset["lines"]): PoolsJob {
  return {
    kind: "pools",
    name: linesPart,
    title: "Accuracy on the line: pools of small classifiers of every pair in ZGO",
    pools: pairs.flatMap(([predict, cue]) =>
      samples.map((sample) => {
        const name = lineName([predict, cue], sample);
        return cheapPool(size, {
          name,
          dataset: `${predict} with ${cue}, sample ${sample}`,
          data: {
            name: "diagvib-study",
            settings: { ...data, predict: [predict], cue: [cue], study: "ZGO", sample },
          },
          oodSplits: ["test"],
          splits: [
            { name, ood: "combinations that break the pattern", environment: "test", role: "shifted" },
          ],
        });
      }),
    ),
  };
}

/** Of a pool and of its only split. */
export function lineName([predict, cue]: FactorPair, sample: number): string {
  return `line-${predict}-${cue}-${sample}`;
}
