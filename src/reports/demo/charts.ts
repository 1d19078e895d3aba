/** The demo's charts: how much each cue matters to each network, and how often each is right. */

import type { ChartSpec } from "../../charts/chart.ts";
import { dotChart } from "../../charts/dot-chart.ts";
import { percentText } from "../../core/words.ts";
import { cueName } from "../../studies/demo/findings.ts";
import type { DemoRun } from "../../studies/demo/measure.ts";
import { points } from "../../studies/summaries.ts";

export function gapChart(runs: readonly DemoRun[], width: number): ChartSpec {
  const cues = Object.keys(runs[0]?.cues ?? {});
  return dotChart({
    description: `Gap of each cue, in percentage points. ${runs.map(gapsInWords).join(" ")}`,
    value: { title: "gap in percentage points", format: "d" },
    points: cues.flatMap((name) =>
      runs.map(({ label, cues }) => {
        const { value, low, high } = cues[name]!.mmd;
        return { row: cueName(name), series: label, value: 100 * value, low: 100 * low, high: 100 * high };
      }),
    ),
    marked: runs.flatMap(({ told }) => told.map(cueName)),
    reference: { value: 0, label: "no gap" },
    width,
  });
}

function gapsInWords({ label, cues }: DemoRun): string {
  const values = Object.entries(cues).map(([name, { mmd }]) => `${cueName(name)} ${points(mmd.value)}`);
  return `${label}: ${values.join(", ")}.`;
}

export function demoAccuracyChart(runs: readonly DemoRun[], chance: number, width: number): ChartSpec {
  const values = runs.map(({ label, accuracy }) => `${label}: ${percentText(accuracy.value)}.`);
  return dotChart({
    description: `Accuracy on test images. ${values.join(" ")}`,
    value: { title: "accuracy on test images", domain: [0, 1] },
    points: runs.map(({ label, accuracy: { value, low, high } }) => ({
      row: label,
      series: "accuracy",
      value,
      low,
      high,
    })),
    reference: { value: chance, label: "guessing" },
    width,
  });
}
