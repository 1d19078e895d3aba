/** On the left what could be read, on the right what the head asks: a row for the class, and one for each cue. */

import type { ChartSpec } from "../../charts/chart.ts";
import { chartInk, seriesColours } from "../../charts/style.ts";
import type { KnowsAnswer } from "./audit.ts";
import type { CellEstimate } from "./cells.ts";

export function knowsChart({ class: own, cues }: KnowsAnswer): ChartSpec {
  const rows = [
    { name: "class", probe: own.probe, moves: own.moves },
    ...cues.map(({ name, probe, use }) => ({ name, probe, moves: use?.moves })),
  ];
  const names = rows.map(({ name }) => name);
  const beyond = (value: number, chance: number) => (value - chance) / (1 - chance);
  const known = rows.map(({ name, probe: { accuracy, chance, controls } }) => ({
    row: name,
    value: Math.max(0, beyond(accuracy.value, chance)),
    low: Math.max(0, beyond(accuracy.low, chance)),
    high: Math.min(1, beyond(accuracy.high, chance)),
    control: Math.max(0, beyond(controls.most, chance)),
  }));
  const asked = rows.flatMap(({ name, moves }) =>
    moves === undefined ? [] : [{ row: name, ...ofEstimate(moves) }],
  );
  const said = known.map(({ row, value }) => {
    const asks = asked.find((each) => each.row === row);
    return `${row}: ${(100 * value).toFixed(0)}% of what is beyond chance can be read${asks === undefined ? "" : `, moves the head by ${asks.value.toFixed(2)}`}`;
  });
  const y = (labels: boolean) => ({
    field: "row",
    type: "nominal",
    sort: names,
    axis: labels ? { title: null } : { title: null, labels: false, ticks: false },
  });
  const height = 34 * rows.length;
  const panel = (
    values: readonly object[],
    title: string,
    format: string,
    domain: readonly number[] | undefined,
    labels: boolean,
  ) => ({
    width: 230,
    height,
    layer: [
      {
        data: { values },
        mark: { type: "bar", height: { band: 0.45 }, color: seriesColours[labels ? 0 : 1] },
        encoding: {
          y: y(labels),
          x: {
            field: "value",
            type: "quantitative",
            axis: { title, format, tickCount: 5 },
            ...(domain && { scale: { domain: [...domain], nice: false } }),
          },
        },
      },
      {
        data: { values },
        mark: { type: "rule", color: chartInk.text, strokeWidth: 1.5 },
        encoding: { y: y(labels), x: { field: "low", type: "quantitative" }, x2: { field: "high" } },
      },
      ...(labels
        ? [
            {
              data: { values },
              mark: { type: "tick", color: chartInk.text, thickness: 2, height: 16 },
              encoding: { y: y(labels), x: { field: "control", type: "quantitative" } },
            },
          ]
        : []),
    ],
  });
  const left = panel(known, "can be read (beyond chance; tick: shuffled labels)", ".0%", [0, 1], true);
  const right = panel(asked, "moves the head (logits)", ".2~g", undefined, false);
  const spec = {
    description: `What features know and what the head asks. ${said.join("; ")}.`,
    hconcat: asked.length === 0 ? [left] : [left, right],
    spacing: 24,
  };
  return spec as unknown as ChartSpec;
}

const ofEstimate = ({ value, low, high }: CellEstimate) => ({ value, low, high });
