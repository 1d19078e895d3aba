import { expect, test } from "vitest";
import { decodeImage } from "../images/codec.ts";
import { canvasWithFont, fontFamilies } from "../images/font.ts";
import { accuracyChart } from "./accuracy-chart.ts";
import { barChart } from "./bar-chart.ts";
import { boxChart } from "./box-chart.ts";
import { chartPng, drawChart } from "./chart.ts";
import { dotChart } from "./dot-chart.ts";
import { lineChart } from "./line-chart.ts";
import { outlineOf, violinChart } from "./violin-chart.ts";

const value = { title: "accuracy" };

/** Drawn marks of each kind: vega names the group of a mark after its type. */
function marks(svg: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, kind, inner] of svg.matchAll(/<g class="mark-(\w+) role-mark[^"]*"[^>]*[^/>]>(.*?)<\/g>/gs))
    counts[kind!] = (counts[kind!] ?? 0) + [...inner!.matchAll(/<(path|text|line)\b/g)].length;
  return counts;
}

function texts(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text!);
}

test("a dot chart has a dot a point, a bar an interval, and every name", async () => {
  const svg = await drawChart(
    dotChart({
      description: 'two "methods" & two cues',
      value,
      points: [
        { row: "colour", series: "erm", value: 0.2, low: 0.1, high: 0.3 },
        { row: "colour", series: "lff", value: 0.4, low: 0.3, high: 0.5 },
        { row: "texture", series: "erm", value: 0.5 },
        { row: "texture", series: "lff", value: 0.6, published: true },
      ],
      marked: ["texture"],
      reference: { value: 0.1, label: "chance" },
    }),
  );
  // Three dots and a hollow one; two intervals and the reference line; one band.
  expect(marks(svg)).toMatchObject({ symbol: 4, rule: 3, rect: 1 });
  expect(texts(svg)).toEqual(
    expect.arrayContaining(["colour", "texture", "erm", "lff", "chance", "accuracy"]),
  );
  expect(svg).toMatch(/^<svg role="img" aria-label="two &quot;methods&quot; &amp; two cues" /);
});

test("marks of an axis of small shares are told apart", async () => {
  const points = [0.0001, 0.0004].map((value, i) => ({ row: `row ${i}`, series: "own", value }));
  const labels = texts(await drawChart(dotChart({ description: "small", value, points })));
  const shares = labels.filter((text) => text.endsWith("%"));
  expect(shares.length).toBeGreaterThan(2);
  expect(new Set(shares).size).toBe(shares.length);
});

test("lines are named at their ends, apart from each other, published ones dashed", async () => {
  const points = ["a", "b"].flatMap((series) => [1, 10, 100].map((x) => ({ series, x, y: x / 200 })));
  const svg = await drawChart(
    lineChart({
      description: "lines",
      x: { title: "images", log: true },
      y: value,
      points: [...points, ...points.slice(0, 3).map((point) => ({ ...point, published: true }))],
    }),
  );
  expect(marks(svg)).toMatchObject({ line: 3, text: 3 });
  expect(svg.match(/stroke-dasharray="5,4"/g)).toHaveLength(1);
  const heights = [...svg.matchAll(/<text [^>]*translate\([\d.]+,([\d.]+)\)[^>]*>(?:a|b|a \(published\))</g)]
    .map(([, y]) => Number(y))
    .sort((one, other) => one - other);
  // All three lines end in one point; seventeen pixels hold a name of 13.
  expect(heights).toHaveLength(3);
  expect(heights[1]! - heights[0]!).toBeCloseTo(17, 6);
  expect(heights[2]! - heights[1]!).toBeCloseTo(17, 6);
});

test("boxes show quartiles, and bars stand on zero with their numbers", async () => {
  const box = await drawChart(
    boxChart({
      description: "boxes",
      value: { ...value, domain: [0, 1] },
      values: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ category: "erm", kind: "none", value })),
      width: 400,
    }),
  );
  // Quartiles of five equally spaced values are the second and fourth: from 100 to 300 of 400 pixels.
  expect(box).toMatch(/d="M100,7h200v14h-200Z"/);
  const bar = await drawChart(
    barChart({
      description: "bars",
      value: { title: "gap", format: ".1%" },
      bars: [
        { category: "colour", series: "erm", value: 0.25, low: 0.2, high: 0.3 },
        { category: "colour", series: "lff", value: -0.125 },
      ],
    }),
  );
  expect(marks(bar)).toMatchObject({ rect: 2, rule: 1, text: 2 });
  expect(texts(bar)).toEqual(expect.arrayContaining(["25.0%", "−12.5%", "erm", "lff"]));
});

test("names get the room that they take in the real font, also as a PNG with letters of other scripts", async () => {
  const { createCanvas, loadImage } = await canvasWithFont();
  const context = createCanvas(1, 1).getContext("2d");
  context.font = `13px ${fontFamilies}`;
  const widths = await Promise.all(
    ["iiiiiiiiii", "WWWWWWWWWW"].map(async (row) => {
      const svg = await drawChart(
        dotChart({ description: row, value, points: [{ row, series: "a", value: 1 }] }),
      );
      return { svg: Number(/ width="(\d+)"/.exec(svg)![1]), text: context.measureText(row).width };
    }),
  );
  // Both charts are alike but for the name; a size is a whole number of pixels.
  const [thin, wide] = widths as [(typeof widths)[0], (typeof widths)[0]];
  expect(Math.abs(wide.svg - thin.svg - (wide.text - thin.text))).toBeLessThan(2);

  const drawn = async (row: string) => {
    const svg = await drawChart(
      dotChart({ description: row, value, points: [{ row, series: "a", value: 1 }] }),
    );
    return chartPng(svg, 1);
  };
  // Where a letter is missing every one is the same box.
  expect(await drawn("αβ d")).not.toEqual(await drawn("γδ d"));
  const image = await loadImage(await drawn("Привет"));
  expect(image.width).toBeGreaterThan(520);
});

test("a text of several lines is in the font of the others", async () => {
  const points = Float64Array.of(-1, 0, 1);
  /** The rows of the title and of the first line below it. */
  const top = async (subtitle: string | string[]) => {
    const series = [{ name: "models", x: points, y: points }];
    const chart = accuracyChart({ description: "d", transform: "probit", series, title: "t", subtitle });
    const { data, width, channels } = await decodeImage(await chartPng(await drawChart(chart)));
    return Buffer.from(data.subarray(0, 64 * width * channels));
  };
  const line = "R 0.54, slope 2.14";
  expect((await top([line, "beware"])).equals(await top(line))).toBe(true);
  expect((await top(["R 0.55, slope 2.14", "beware"])).equals(await top(line))).toBe(false);
});

test("lines of a text are as far apart on paper as in the SVG", async () => {
  /** Rows of pixels that hold ink, as runs from one to another. */
  const inked = async (text: string[]) => {
    const spec = {
      description: "d",
      width: 80,
      height: 90,
      data: { values: [{}] },
      mark: { type: "text", text, lineHeight: 30, fontSize: 12, align: "center", color: "black", y: 10 },
    } as unknown as Parameters<typeof drawChart>[0];
    const { data, width, height, channels } = await decodeImage(await chartPng(await drawChart(spec), 1));
    const dark = Array.from({ length: height }, (_, y) =>
      data.subarray(y * width * channels, (y + 1) * width * channels).some((value) => value < 100),
    );
    return dark.flatMap((here, y) => (here && dark[y - 1] !== true ? [y] : []));
  };
  const [first, second, third] = await inked(["HHH", "HHH", "HHH"]);
  expect([second! - first!, third! - second!]).toEqual([30, 30]);
});

test("violins of two kinds stand side by side, with a dot a value; equal values have no outline", async () => {
  const svg = await drawChart(
    violinChart({
      description: "violins",
      value,
      values: ["GDRO", "LNL"].flatMap((category) =>
        ["majority", "minority"].flatMap((kind) =>
          [0.1, 0.2, 0.5, 0.6].map((at, i) => ({
            category,
            kind,
            value: category === "LNL" && kind === "majority" ? 0.4 : at,
            marked: i === 2,
          })),
        ),
      ),
    }),
  );
  // Three of the four spread; sixteen dots, and the two of the legend.
  expect(marks(svg)).toMatchObject({ area: 3, symbol: 16 });
  expect(texts(svg)).toEqual(expect.arrayContaining(["GDRO", "LNL", "majority", "minority", "accuracy"]));
  const outline = outlineOf([0.1, 0.2, 0.5]);
  expect([outline[0]!.at, outline.at(-1)!.at]).toEqual([0.1, 0.5]);
  expect(Math.max(...outline.map(({ share }) => share))).toBe(1);
  expect(outlineOf([0.4, 0.4])).toEqual([]);
});

test("names of series leave room for the diagonal's name, which may stand above the chart", () => {
  const series = ["a", "b"].map((name) => ({ name, x: Float64Array.of(0, 1), y: Float64Array.of(0, 1) }));
  const offsets = (diagonal: boolean) =>
    JSON.stringify(accuracyChart({ description: "d", transform: "probit", series, diagonal })).match(
      /"offset":\d+/g,
    );
  expect(offsets(true)).toContain('"offset":24');
  expect(offsets(false)).not.toContain('"offset":24');
});
