/** The figures of a dataset's bias: scores of the classes, where objects are, and what goes with background accuracy. */

import type { ChartSpec } from "../../charts/chart.ts";
import { heatMap } from "../../charts/heat-map.ts";
import { histogram } from "../../charts/histogram.ts";
import { seriesColours } from "../../charts/style.ts";
import { mustBe } from "../../core/look-up.ts";
import { quantile } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import type { BoxAgreement } from "./agreement.ts";
import type { AccuracyComparison, BiasScore } from "./correlate.ts";
import type { DataBias } from "./measure.ts";

export const scoreTitles: Record<BiasScore, string> = {
  centre: "centredness",
  size: "size",
  product: "centredness × size",
};

/** From fewer classes no finer steps can be read. */
const manyClasses = 100;

/** Figure 3 of the paper. */
export function scoreHistogram({ classes }: DataBias, score: BiasScore): ChartSpec {
  const values = classes.map((one) => one[score]);
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(values, share).toFixed(3));
  return histogram({
    description: `How many classes have which ${scoreTitles[score]} score: ${classes.length} from ${low} to ${high}, median ${middle}.`,
    title: scoreTitles[score],
    values,
    x: "score",
    y: "classes",
    domain: score === "centre" ? [0.5, 1] : [0, 1],
    step: (score === "centre" ? 0.5 : 1) / (classes.length >= manyClasses ? 50 : 20),
  });
}

/** Figure 2 of the paper, right. */
export function centreMap({ centres, objects }: DataBias): ChartSpec {
  const isMiddle = (i: number, cells: number) => i >= cells / 3 && i < (2 * cells) / 3;
  const middle = centres.reduce(
    (sum, row, i) =>
      sum +
      row.reduce(
        (own, count, j) => own + (isMiddle(i, centres.length) && isMiddle(j, row.length) ? count : 0),
        0,
      ),
    0,
  );
  return heatMap({
    description: `Where in their images the centres of ${objects} objects are: ${percentText(middle / objects)} in the middle ninth.`,
    title: "Centres of the objects",
    counts: centres,
    legend: "objects",
    x: "share of the image's width",
    y: "share of its height",
  });
}

/** Figure 11 of the paper, top. */
export function agreementHistogram({ classes, iou, below, threshold }: BoxAgreement): ChartSpec {
  return histogram({
    description: `How far both sets of boxes agree in each of ${classes.length} classes: ${iou.toFixed(3)} on average, ${below} below ${threshold}.`,
    title: "agreement of boxes",
    values: classes.map((one) => one.iou),
    x: "mean IoU",
    y: "classes",
    domain: [0, 1],
    step: 1 / (classes.length >= manyClasses ? 50 : 20),
  });
}

/** Figure 4 of the paper: one point a class. */
export function accuracyScatter({ points, correlations }: AccuracyComparison, score: BiasScore): ChartSpec {
  const { kendall, spearman } = mustBe(
    correlations.find((one) => one.score === score),
    score,
  );
  const numbers = `Kendall's τ ${signed(kendall.tau)}, Spearman's ρ ${signed(spearman.rho)}`;
  return {
    description: `Accuracy on backgrounds alone against the ${scoreTitles[score]} score, a point a class: ${numbers}.`,
    title: { text: scoreTitles[score], subtitle: numbers },
    width: 240,
    height: 220,
    data: { values: points.map((point) => ({ name: point.name, x: point[score], y: point.accuracy })) },
    mark: { type: "point", filled: true, color: seriesColours[0], size: 45, opacity: 0.7 },
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        scale: { zero: false, nice: true },
        axis: { title: "score", format: ".2~f" },
      },
      y: {
        field: "y",
        type: "quantitative",
        scale: { domain: [0, 1] },
        axis: { title: "accuracy on backgrounds alone", format: ".0%" },
      },
    },
  } as unknown as ChartSpec;
}

export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
