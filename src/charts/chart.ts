/** Charts: a vega-lite specification → SVG in the house style, and SVG → PNG. No browser takes part. */

import type { TopLevelSpec } from "vega-lite";
import { escapeMarkup } from "../core/markup.ts";
import type { Chart } from "../core/section.ts";
import { shownLines } from "../core/shown-text.ts";
import { canvasWithFont, fontFamilies, fontRuns, latinFamily } from "../images/font.ts";
import { chartConfig, chartFont, chartInk } from "./style.ts";

/** What the builders in `charts/` make, and what may be written by hand. Its `description` is read to the blind. */
export type ChartSpec = TopLevelSpec & { description: string };

export async function drawChart(spec: Chart): Promise<string> {
  const { view, svg } = await chartView(spec);
  view.finalize();
  // By a function: in a text put in as it stands, `$&` and the like would be commands.
  return svg.replace("<svg ", (head) => `${head}role="img" aria-label="${escapeMarkup(spec.description)}" `);
}

/** A chart in the house style, laid out, and as SVG; finalize it. */
export async function chartView(spec: Chart, { font = chartFont } = {}) {
  const [vega, { compile }] = await Promise.all([vegaWithFont(), import("vega-lite")]);
  const { spec: full } = compile(cleaned(spec) as ChartSpec, { config: { ...chartConfig, font } });
  const view = new vega.View(vega.parse(full), { renderer: "none" });
  const svg = (await view.toSVG()).replaceAll(guard, "");
  const [, width, height] = /^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/.exec(svg)!;
  return { view, svg, width: Number(width), height: Number(height) };
}

/** Of no width: a word such as `constructor` is then none that Vega finds in its own objects. Taken out again of what is drawn. */
const guard = "\u2060";

/** Names may hold what no XML may, and what cannot be measured. */
function cleaned(part: unknown): unknown {
  if (typeof part === "string") return part in Object.prototype ? `${part}${guard}` : shownLines(part);
  if (Array.isArray(part)) return part.map(cleaned);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [shownLines(key), cleaned(value)]));
}

/** On white paper, with `scale` dots a pixel. */
export async function chartPng(svg: string, scale = 2): Promise<Buffer> {
  const { createCanvas, loadImage } = await canvasWithFont();
  const image = await loadImage(Buffer.from(withRegisteredFont(enlarged(svg, scale))));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.fillStyle = chartInk.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return canvas.encode("png");
}

/** The canvas draws an SVG at the size that it states; its view box makes the drawing follow. */
function enlarged(svg: string, scale: number): string {
  const [head] = /^<svg [^>]*>/.exec(svg)!;
  const sized = head.replace(
    / (width|height)="([\d.]+)"/g,
    (_, side, size) => ` ${side}="${Math.ceil(Number(size) * scale)}"`,
  );
  return sized + svg.slice(head.length);
}

/** The canvas puts the second line of a text too near to the first; as texts of their own, lines are where they belong. */
function linesApart(svg: string): string {
  return svg.replace(
    /(<text\b[^>]*)>((?:<tspan\b[^>]*>[^<]*<\/tspan>)+)<\/text>/g,
    (_, head: string, parts: string) => {
      let height = 0;
      return parts.replace(/<tspan\b([^>]*)>([^<]*)<\/tspan>/g, (_, attributes: string, text: string) => {
        height += Number(/dy="([\d.]+)"/.exec(attributes)?.[1] ?? 0);
        return `${head} y="${height}">${text}</text>`;
      });
    },
  );
}

/** The canvas takes the first family alone, and knows none of the reader's. */
function withRegisteredFont(svg: string): string {
  return linesApart(svg).replace(/(<text\b[^>]*>)([^<]*)</g, (_, head: string, text: string) => {
    const [first, ...others] = fontRuns(text);
    const rest = others.map(({ family, text }) => `<tspan font-family="${family}">${text}</tspan>`);
    return `${head.replace(chartFont, first?.family ?? latinFamily)}${first?.text ?? ""}${rest.join("")}<`;
  });
}

interface TextItem {
  fontSize?: number;
  fontWeight?: number | string;
}

let measuring: Promise<typeof import("vega")> | undefined;

/** Vega, measuring text with the font that it will be shown in; by itself it guesses, and labels collide. */
function vegaWithFont(): Promise<typeof import("vega")> {
  measuring ??= Promise.all([import("vega"), canvasWithFont()]).then(([vega, { createCanvas }]) => {
    const context = createCanvas(1, 1).getContext("2d");
    // Vega's types leave this out.
    const { textMetrics } = vega as unknown as {
      textMetrics: { width: (item: TextItem, text: string | number | null) => number };
    };
    textMetrics.width = ({ fontSize = 11, fontWeight = 400 }, text) => {
      context.font = `${fontWeight} ${fontSize}px ${fontFamilies}`;
      return context.measureText(String(text ?? "").trim()).width;
    };
    return vega;
  });
  return measuring;
}
