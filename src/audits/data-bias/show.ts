/** Where objects are and how large, in sections. */

import { countCell, decimalCell, type Figure, type Section, type Table } from "../../core/section.ts";
import { boxAgreement } from "../../published/corner-cases.ts";
import type { BoxAgreement } from "./agreement.ts";
import type { DataBiasAnswer } from "./audit.ts";
import {
  accuracyScatter,
  agreementHistogram,
  centreMap,
  scoreHistogram,
  scoreTitles,
  signed,
} from "./charts.ts";
import { type AccuracyComparison, type BiasScore, biasScores } from "./correlate.ts";

export function showDataBias(answer: DataBiasAnswer): Section[] {
  const { title, bias, comparison } = answer;
  const { classes, images, objects, without } = bias;
  const average = (score: "centre" | "size") =>
    (classes.reduce((sum, one) => sum + one[score], 0) / classes.length).toFixed(3);
  return [
    {
      name: "objects",
      heading: title,
      facts: [
        ["objects", `${number(objects)} in ${number(images)} images of ${number(classes.length)} classes`],
        ...(without === 0
          ? []
          : [["not counted, as they have no box", `${number(without)} images`] as const]),
        ["mean over classes", `centredness ${average("centre")}, size ${average("size")}`],
      ],
      figures: [
        {
          name: "centres",
          caption:
            "Centres of all boxes, with the image's width and height as units; the scale says how many lie in a place",
          draw: () => centreMap(bias),
        },
      ],
    },
    {
      name: "classes",
      heading: "Classes, highest product of both scores first",
      tables: [classTable(answer)],
      figures: biasScores.map(
        (score): Figure => ({
          name: `scores-${score}`,
          caption: `How many classes have which score: ${scoreTitles[score]}`,
          draw: () => scoreHistogram(bias, score),
          beside: true,
        }),
      ),
      remarks: [
        "centredness is 1 for an object in the very middle and 0.5 for one whose centre is on the border; size is the share " +
          "of the image that the box takes up; both are means over the objects of an image, then over the images of a class",
      ],
    },
    ...(comparison === undefined ? [] : [accuracySection(comparison)]),
    ...(answer.agreement === undefined ? [] : [agreementSection(answer.agreement)]),
  ];
}

/** More rows than this do not help on a screen: the first and the last of them are shown. */
const mostRows = 40;
const endRows = 10;

/** All classes, with their accuracy on backgrounds where it was compared. */
export function classTable({ bias: { classes }, comparison }: DataBiasAnswer): Table {
  const accuracies = new Map(comparison?.points.map(({ name, accuracy }) => [name, accuracy]));
  const titles = ["class", "images", "objects", "centredness", "size", "product"];
  return {
    name: "classes",
    caption: "",
    columns: [...titles, ...(comparison ? ["background_accuracy"] : [])].map((title) => ({ title })),
    rows: classes.map(({ name, images, objects, centre, size, product }) => ({
      cells: [
        name,
        countCell(images),
        countCell(objects),
        ...[centre, size, product].map((score) => decimalCell(score, 3)),
        ...(comparison ? [decimalCell(accuracies.get(name) ?? null, 3)] : []),
      ],
    })),
    ...shownEnds(classes.length),
  };
}

function accuracySection(comparison: AccuracyComparison): Section {
  const { correlations, unmatched } = comparison;
  const pValue = (p: number) => ({ value: p, text: p < 0.001 ? "< 0.001" : p.toFixed(3) });
  const signedCell = (value: number) => ({ value, text: signed(value) });
  return {
    name: "accuracy",
    heading: "Correlation with accuracy on backgrounds alone, over classes",
    tables: [
      {
        name: "accuracy",
        caption: "",
        columns: ["score", "Kendall's τ", "p", "Spearman's ρ", "p"].map((title) => ({ title })),
        rows: correlations.map(({ score, kendall, spearman }) => ({
          cells: [
            scoreTitles[score],
            signedCell(kendall.tau),
            pValue(kendall.pValue),
            signedCell(spearman.rho),
            pValue(spearman.pValue),
          ],
        })),
      },
    ],
    figures: biasScores.map(
      (score: BiasScore): Figure => ({
        name: `accuracy-${score}`,
        caption: `One point a class: ${scoreTitles[score]}`,
        draw: () => accuracyScatter(comparison, score),
        beside: true,
      }),
    ),
    remarks: [
      "where small, off-centre objects go with backgrounds that give the class away, these numbers are negative",
      ...(unmatched.length === 0
        ? []
        : [`not compared, as only one of both is known: ${unmatched.join(", ")}`]),
    ],
  };
}

function agreementSection(agreement: BoxAgreement): Section {
  const { classes, images, alone, iou, threshold, below } = agreement;
  return {
    name: "agreement",
    heading: "Agreement with the other boxes, lowest first",
    facts: [
      ["mean over classes", `IoU ${iou.toFixed(3)}, of ${number(images)} images`],
      [`classes below ${threshold}`, `${number(below)} of ${number(classes.length)}`],
      ["counted as 0, as the other boxes have none", `${number(alone)} images`],
      [
        "published",
        `${boxAgreement.mean} in the text (${boxAgreement.meanInFigure} in Figure 11), ${boxAgreement.classesBelow} of 1,000 classes below ` +
          `${boxAgreement.threshold}: ImageNet's validation images, annotations against Grounding DINO`,
      ],
    ],
    tables: [
      {
        name: "agreement",
        caption: "",
        columns: ["class", "images", "mean IoU", "outside"].map((title) => ({ title })),
        rows: classes.map((one) => ({
          cells: [one.name, countCell(one.images), decimalCell(one.iou, 3), decimalCell(one.outside, 3)],
        })),
        ...shownEnds(classes.length),
      },
    ],
    figures: [
      {
        name: "agreement",
        caption: "How many classes have which agreement",
        draw: () => agreementHistogram(agreement),
        beside: true,
      },
    ],
    remarks: [
      "IoU is the area that both sets of boxes of an image cover, over the area that either covers; outside is the share of the " +
        "other boxes' area that one's own leave out, where objects would be taken for background",
    ],
  };
}

/** The first and the last rows of a long table. */
function shownEnds(rows: number): Pick<Table, "shown"> {
  if (rows <= mostRows) return {};
  const ends = Array.from({ length: rows }, (_, i) => i).filter((i) => i < endRows || i >= rows - endRows);
  return { shown: { rows: ends, why: `the first and the last ${endRows} of ${number(rows)}` } };
}

function number(n: number): string {
  return n.toLocaleString("en");
}
