/** The one manner of all charts: font, colours that colour-blind people can tell apart, a light grid. */

import type { Config } from "vega-lite";

/** Text and lines of a chart; a page in dark colours replaces exactly these. */
export const chartInk = {
  text: "#1a1c22",
  quiet: "#5c6170",
  line: "#e4e6ec",
  band: "#f1f3f8",
  paper: "#ffffff",
};

/** Of layers whose colour says how many: a page in dark colours turns their scale round. */
export const densityName = "density";

/** Okabe and Ito's colours, those with enough contrast on white first. */
export const seriesColours = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
  "#7a5195",
  "#6b6f7b",
];

/** Colour is never the only difference between series. */
export const seriesShapes = [
  "circle",
  "square",
  "diamond",
  "triangle-up",
  "cross",
  "triangle-down",
  "triangle-right",
  "triangle-left",
];

/** First the font that pages carry, then the reader's own. */
export const chartFont = "Inter, system-ui, sans-serif";

export const chartConfig: Config = {
  font: chartFont,
  background: "transparent",
  padding: 4,
  // One label says what the whole figure shows; one a mark would be read out hundreds of times.
  aria: false,
  view: { stroke: null },
  axis: {
    labelColor: chartInk.quiet,
    labelFontSize: 12,
    labelLimit: 0,
    titleColor: chartInk.quiet,
    titleFontSize: 12,
    titleFontWeight: 400,
    titleLimit: 0,
    titlePadding: 8,
    gridColor: chartInk.line,
    domainColor: chartInk.line,
    ticks: false,
    labelFlush: false,
    labelPadding: 6,
  },
  // Names are read first, numbers when looked for.
  axisBand: { grid: false, domain: false, labelColor: chartInk.text, labelFontSize: 13, labelPadding: 8 },
  axisQuantitative: { tickCount: 6, domain: false },
  legend: {
    orient: "top",
    direction: "horizontal",
    title: null,
    labelColor: chartInk.text,
    labelFontSize: 13,
    labelLimit: 0,
    symbolOpacity: 1,
    symbolSize: 90,
    symbolStrokeWidth: 2,
    columnPadding: 18,
    offset: 10,
  },
  title: {
    anchor: "start",
    color: chartInk.text,
    fontSize: 15,
    fontWeight: 600,
    frame: "group",
    offset: 10,
    limit: 0,
    subtitleColor: chartInk.quiet,
    subtitleFontSize: 12,
  },
  header: { labelColor: chartInk.text, labelFontSize: 13, labelFontWeight: 600, title: null, labelLimit: 0 },
  range: { category: seriesColours, symbol: seriesShapes },
  line: { strokeWidth: 2 },
  rule: { strokeWidth: 2 },
  point: { filled: true, size: 70, opacity: 1 },
  text: { color: chartInk.text, fontSize: 12, limit: 0 },
  boxplot: { size: 14, ticks: false },
};
