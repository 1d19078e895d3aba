/** What the figures of a split show. */

import { expect, test } from "vitest";
import { accuracyChart } from "../../charts/accuracy-chart.ts";
import { chartPng, drawChart } from "../../charts/chart.ts";
import { paperScale } from "../../core/accuracy-scale.ts";
import { randomStream } from "../../core/random.ts";
import { lineBand } from "./band.ts";
import { fitScaled } from "./fit.ts";
import { gridFigure, lineGrids } from "./group-grid.ts";
import { lineFigures } from "./line-figures.ts";
import { warningsOf } from "./warnings.ts";

function points(n: number, bend = 0): { x: Float64Array; y: Float64Array } {
  const random = randomStream(2, "line/figures").at(0);
  const x = Float64Array.from({ length: n }, () => 2 * random.uniform() - 0.5);
  return { x, y: x.map((value) => 0.8 * value - bend * Math.max(0, value - 1) + 0.1 * random.normal()) };
}

function split(n: number, bend = 0) {
  const { x, y } = points(n, bend);
  const fit = fitScaled(x, y);
  const warnings = warningsOf({ x, y }, fit, paperScale, {});
  return {
    x,
    y,
    report: {
      ...fit,
      warnings,
      name: "ood on id",
      id: ["id"],
      ood: "ood",
      group: {},
      dropped: 0,
      idRange: null,
      oodRange: null,
    },
  };
}

const texts = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text!);
const marks = (svg: string, kind: string) =>
  [...svg.matchAll(new RegExp(`<g class="mark-${kind} role-mark[^"]*"[^>]*[^/>]>(.*?)</g>`, "gs"))].flatMap(
    ([, inner]) => [...inner!.matchAll(/<path\b/g)],
  ).length;

test("few models are points, with per cent at the axes, the fit and the diagonal", async () => {
  const svg = await drawChart(lineFigures(split(60), paperScale).line!);
  expect(marks(svg, "symbol")).toBe(60);
  // The diagonal and the fit.
  expect(marks(svg, "line")).toBe(2);
  expect(marks(svg, "area")).toBe(1);
  // ID goes from -0.5 to 1.5 in probits: 31% to 93%.
  expect(texts(svg)).toEqual(expect.arrayContaining(["50%", "75%", "90%", "OOD = ID", "ID accuracy: id"]));
  expect(texts(svg)).not.toContain("99%");
  expect((await chartPng(svg)).subarray(1, 4).toString()).toBe("PNG");
});

test("many models are a density with its scale, and a broken line is drawn", async () => {
  const made = split(4000, 2);
  const figures = lineFigures(made, paperScale);
  const svg = await drawChart(figures.line!);
  expect(marks(svg, "symbol")).toBe(0);
  expect(marks(svg, "rect")).toBeGreaterThan(200);
  expect(texts(svg)).toContain("models");
  expect(svg).toContain('stroke-dasharray="7,4"');
  const residuals = await drawChart(figures.residuals!);
  expect(texts(residuals)).toContain("break");
  expect(await drawChart(lineFigures(split(60), paperScale).residuals!)).not.toContain(">break<");
});

test("ticks stand where the transform puts their accuracy", async () => {
  const { x } = points(40);
  const chart = (transform: "probit" | "linear", shift = 0) =>
    drawChart(
      accuracyChart({
        description: "ticks",
        transform,
        series: [
          {
            name: "a",
            x: x.map((value) => value / (transform === "linear" ? 4 : 1) + shift),
            y: x.map(() => 0.5),
          },
        ],
      }),
    );
  const place = (svg: string, label: string) =>
    Number(new RegExp(`<text [^>]*translate\\(([\\d.]+),[\\d.]+\\)[^>]*>${label}<`).exec(svg)![1]);
  const probit = await chart("probit");
  // On the probit scale 50% is at 0, 75% at 0.674, 90% at 1.2816; distances are in that proportion.
  const ratio = (place(probit, "90%") - place(probit, "50%")) / (place(probit, "75%") - place(probit, "50%"));
  expect(ratio).toBeCloseTo(1.2816 / 0.6745, 1);
  const linear = await chart("linear", 0.5);
  expect(
    (place(linear, "75%") - place(linear, "50%")) / (place(linear, "60%") - place(linear, "50%")),
  ).toBeCloseTo(2.5, 1);
});

test("the band is the least-squares band", () => {
  const x = Float64Array.of(1, 2, 3, 4, 5);
  const y = Float64Array.of(1.1, 1.9, 3.2, 3.9, 5.1);
  const band = lineBand(x, y, fitScaled(x, y), 2);
  // By hand: slope 1.0, intercept 0.04, residual sum of squares 0.072, t(0.975; 3) = 3.18245, s² = 0.024;
  // half-widths t s √(1/5 + (x - 3)²/10) at 1, 3 and 5.
  const half = (at: number) => 3.182446305 * Math.sqrt(0.024) * Math.sqrt(0.2 + (at - 3) ** 2 / 10);
  for (const { x: at, y: middle, low, high } of band) {
    expect(middle).toBeCloseTo(0.04 + at, 9);
    expect(high - middle).toBeCloseTo(half(at), 7);
    expect(middle - low).toBeCloseTo(half(at), 7);
  }
  expect(band.map((point) => point.x)).toEqual([1, 3, 5]);
});

test("points that belong together have a line and no band, which would be too narrow", () => {
  const { x, y } = points(40);
  const clustered = fitScaled(x, y, { clusters: Uint32Array.from(x, (_, i) => i % 8) });
  const band = lineBand(x, y, clustered, 2);
  expect(band).toHaveLength(3);
  for (const { y: height, low, high } of band) expect([low, high]).toEqual([height, height]);
});

test("OOD groups on ID groups are one figure, with R and the verdict's stroke in each panel", async () => {
  const named = (id: string, ood: string, bend = 0) => {
    const made = split(40, bend);
    return { ...made, report: { ...made.report, id: [id], ood } };
  };
  const ids = ["home", "home y=0 a=0", "home y=1 a=0"];
  const pairs = ["away y=0 a=0", "away y=1 a=0"].flatMap((ood) => ids.map((id) => named(id, ood)));
  const falling = { ...pairs[5]!, y: pairs[5]!.x.map((value, i) => -value + 0.05 * (i % 3)) };
  const splits = [
    named("home", "away"),
    ...pairs.slice(0, 5),
    { ...falling, report: { ...falling.report, ...fitScaled(falling.x, falling.y) } },
  ];
  const [grid, ...others] = lineGrids(splits);
  expect(others).toEqual([]);
  expect(grid).toMatchObject({ ids, oods: ["away y=0 a=0", "away y=1 a=0"] });
  const svg = await drawChart(gridFigure(grid!, paperScale));
  expect(marks(svg, "symbol")).toBe(6 * 40);
  expect(marks(svg, "line")).toBe(6);
  // Five rise and one falls: one dashed line.
  expect([...svg.matchAll(/stroke-dasharray="6,3"/g)]).toHaveLength(1);
  const r = texts(svg).filter((text) => text.startsWith("R "));
  // Each is written twice: on a white edge, and in ink.
  expect(r).toHaveLength(12);
  expect(r.filter((text) => text.startsWith("R −"))).toHaveLength(2);
  expect(svg).toContain("OOD accuracy in away (rows) on ID accuracy in home (columns)");
  expect(svg).toMatch(/>average<[\s\S]*<tspan>y=0<\/tspan><tspan[^>]*>a=0<\/tspan>/);
  // With every environment left out in turn, no two have the same ID accuracies.
  const turns = [named("a", "b"), named("c", "b"), named("b", "a"), named("c", "a")];
  expect(lineGrids(turns)).toEqual([]);
});
