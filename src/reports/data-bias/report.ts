/** What `data bias --out` writes: a page, its figures as pictures, and the table of classes. */

import type { AccuracyComparison, BiasScore } from "../../audits/data-bias/correlate.ts";
import { biasScores } from "../../audits/data-bias/correlate.ts";
import type { ClassBias, DataBias } from "../../audits/data-bias/measure.ts";
import { type ChartSpec, chartPng, drawChart } from "../chart.ts";
import { figure, htmlPage, htmlTable, type PageSection, paragraph } from "../html-page.ts";
import { csvTable } from "../table-formats.ts";
import { accuracyScatter, centreMap, scoreHistogram, scoreTitles, signed } from "./charts.ts";

export interface BiasReport {
  /** What was looked at. */
  subject: string;
  bias: DataBias;
  comparison?: AccuracyComparison | undefined;
}

export interface BiasFiles {
  page: string;
  csv: string;
  /** By name, without an ending. */
  figures: Record<string, { svg: string; png: Buffer }>;
}

export async function biasFiles(report: BiasReport): Promise<BiasFiles> {
  const figures: BiasFiles["figures"] = {};
  for (const [name, spec] of Object.entries(chartsOf(report))) {
    const svg = await drawChart(spec);
    figures[name] = { svg, png: await chartPng(svg) };
  }
  return { page: await page(report, figures), csv: biasCsv(report), figures };
}

export function biasCsv({ bias, comparison }: Pick<BiasReport, "bias" | "comparison">): string {
  const accuracies = new Map(comparison?.points.map(({ name, accuracy }) => [name, accuracy]));
  const header = ["class", "images", "objects", "centredness", "size", "product"];
  const row = ({ name, images, objects, centre, size, product }: ClassBias) => [
    name,
    ...[images, objects, centre, size, product].map(String),
    ...(comparison === undefined ? [] : [String(accuracies.get(name) ?? "")]),
  ];
  return csvTable([
    comparison === undefined ? header : [...header, "background_accuracy"],
    ...bias.classes.map(row),
  ]);
}

function chartsOf({ bias, comparison }: BiasReport): Record<string, ChartSpec> {
  const each = (prefix: string, draw: (score: BiasScore) => ChartSpec) =>
    Object.fromEntries(biasScores.map((score) => [`${prefix}-${score}`, draw(score)]));
  return {
    centres: centreMap(bias),
    ...each("scores", (score) => scoreHistogram(bias, score)),
    ...(comparison && each("accuracy", (score) => accuracyScatter(comparison, score))),
  };
}

function page({ subject, bias, comparison }: BiasReport, figures: BiasFiles["figures"]): Promise<string> {
  const { classes, images, objects, without } = bias;
  const number = (n: number) => n.toLocaleString("en");
  const left = without === 0 ? "" : ` Not counted, as they have no box: ${number(without)} images.`;
  const sections: PageSection[] = [
    {
      heading: "Where the objects are",
      body: [
        figure(
          "Centres of all boxes, with the image's width and height as units; darker where there are more.",
          figures.centres!.svg,
        ),
      ],
    },
    {
      heading: "Scores of the classes",
      body: [
        paragraph(
          "Centredness is 1 for an object in the very middle and 0.5 for one whose centre is on the border: one less " +
            "the larger of the two distances from the middle. Size is the share of the image that the box takes up. Both " +
            "are means over the objects of an image, and then over the images of a class.",
        ),
        ...biasScores.map((score) =>
          figure(
            `How many classes have which score: ${scoreTitles[score]}.`,
            figures[`scores-${score}`]!.svg,
          ),
        ),
      ],
    },
    ...(comparison === undefined ? [] : [accuracySection(comparison, figures)]),
    {
      heading: "All classes",
      body: [
        htmlTable(
          "Highest product of both scores first.",
          ["class", "images", "objects", "centredness", "size", "product"].map((title, i) => ({
            title,
            numeric: i > 0,
          })),
          classes.map(({ name, images, objects, centre, size, product }) => ({
            cells: [
              name,
              number(images),
              number(objects),
              ...[centre, size, product].map((x) => x.toFixed(3)),
            ],
          })),
        ),
      ],
    },
  ];
  return htmlPage({
    title: `Position and size of objects: ${subject}`,
    lead: `${number(objects)} objects in ${number(images)} images of ${number(classes.length)} classes.${left}`,
    sections,
  });
}

function accuracySection(
  { correlations, unmatched }: AccuracyComparison,
  figures: BiasFiles["figures"],
): PageSection {
  const pValue = (p: number) => (p < 0.001 ? "< 0.001" : p.toFixed(3));
  return {
    heading: "Accuracy on backgrounds alone",
    body: [
      paragraph(
        "Where small, off-centre objects go with backgrounds that give the class away, these numbers are negative.",
      ),
      htmlTable(
        "Rank correlations over classes, with two-sided p-values.",
        ["score", "Kendall's τ", "p", "Spearman's ρ", "p"].map((title, i) => ({ title, numeric: i > 0 })),
        correlations.map(({ score, kendall, spearman }) => ({
          cells: [
            scoreTitles[score],
            signed(kendall.tau),
            pValue(kendall.pValue),
            signed(spearman.rho),
            pValue(spearman.pValue),
          ],
        })),
      ),
      ...biasScores.map((score) =>
        figure(`One point a class: ${scoreTitles[score]}.`, figures[`accuracy-${score}`]!.svg),
      ),
      ...(unmatched.length === 0
        ? []
        : [paragraph(`Not compared, as only one of both is known: ${unmatched.join(", ")}.`)]),
    ],
  };
}
