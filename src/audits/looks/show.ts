/** Where a model looks, in sections: what regions weigh, what hiding them costs, random weights, and pictures. */

import { dotChart } from "../../charts/dot-chart.ts";
import {
  type Column,
  decimalCell,
  type Finding,
  type NumberCell,
  percentCell,
  pointsCell,
  type Section,
  type Table,
} from "../../core/section.ts";
import { percentText } from "../../core/words.ts";
import type { ImageMean, LooksAnswer, RegionLook } from "./answer.ts";
import { looksGallery } from "./pictures.ts";
import { allImages, margin } from "./take-regions.ts";

export function showLooks(answer: LooksAnswer): Section[] {
  const { models, images, split, class: of, shown } = answer;
  const regions = models.flatMap(({ look }) =>
    look.regions.map((region) => ({ model: look.model, ...region })),
  );
  const tested = regions.filter(({ fall }) => fall.images > 0);
  return [
    {
      name: "looks",
      heading: "What was asked",
      facts: [
        ["models", models.map(({ look }) => look.model).join("; ")],
        ["images", `${images.toLocaleString("en")} of ${split}`],
        ["class", of === "predicted" || of === "label" ? `the one that is ${of}` : of],
        ...models.flatMap(({ look, seconds }) =>
          seconds.map(({ method, seconds }): [string, string] => [
            `${method}, ${look.model}`,
            `${((1000 * seconds) / images).toFixed(0)} ms an image`,
          ]),
        ),
      ],
      remarks: models.flatMap(({ look }) => look.remarks),
    },
    ...(tested.length === 0
      ? [
          {
            name: "regions",
            heading: "Regions",
            text: "The dataset has no masks and no boxes: what maps lie on was not measured.",
          },
        ]
      : [hidingSection(tested), sharesSection(tested)]),
    ...(models.some(({ look }) => look.randomised.length > 0) ? [randomSection(answer)] : []),
    ...(shown.length === 0
      ? []
      : [{ name: "gallery", heading: "Where it looks", galleries: [looksGallery(answer)] }]),
  ];
}

type Tested = RegionLook & { model: string };

const named = (rows: readonly Tested[]): { columns: Column[]; cells: (row: Tested) => string[] } => {
  const several = (of: (row: Tested) => string) => new Set(rows.map(of)).size > 1;
  const parts = (
    [
      ["region", (row: Tested) => row.region, true],
      ["model", (row: Tested) => row.model, several(({ model }) => model)],
      ["images are", (row: Tested) => row.version, several(({ version }) => version)],
      ["group", (row: Tested) => row.group, several(({ group }) => group)],
    ] as const
  ).filter(([, , shown]) => shown);
  return { columns: parts.map(([title]) => ({ title })), cells: (row) => parts.map(([, of]) => of(row)) };
};

function hidingSection(rows: readonly Tested[]): Section {
  const { columns, cells } = named(rows);
  const versions = new Set(rows.map(({ version }) => version)).size;
  const table: Table = {
    name: "hidden-regions",
    caption:
      "What the class's probability loses, in points: mean over images, 95% intervals over images alone",
    columns: [
      ...columns,
      ...["images", "region hidden", "as much elsewhere", "difference", "95%", "of the logit"].map(
        (title) => ({ title }),
      ),
    ],
    rows: rows.map((row) => ({
      cells: [
        ...cells(row),
        { value: row.fall.images, text: String(row.fall.images) },
        pointsCell(row.fall.mean),
        pointsCell(row.fallElsewhere.mean),
        pointsCell(row.effect.mean),
        interval(row.effect, (value) => pointsCell(value).text),
        decimalCell(row.logitEffect.mean, 2),
      ],
      marked: row.group === allImages && rows.some(({ group }) => group !== allImages),
    })),
  };
  const without = rows.filter(({ group, withoutControl }) => group === allImages && withoutControl > 0);
  return {
    name: "hidden",
    heading: "Does it need what it looks at?",
    text: `Each region is painted over with the images' mean colour, and, in the same image, the same form in up to four other places. Only the difference says anything: hiding any part of an image may change a prediction. A difference below ${100 * margin} points is none that matters.`,
    findings: rows.flatMap(finding),
    tables: [table],
    figures: [
      {
        name: "hidden-regions",
        caption:
          "What hiding a region costs the class, less what hiding as much elsewhere costs; with 95% intervals over images",
        draw: () =>
          dotChart({
            description: "differences in points of probability, a row a region",
            value: { title: "probability lost, region less elsewhere" },
            reference: { value: 0 },
            points: rows
              .filter(({ effect, group }) => effect.mean !== null && group === allImages)
              .map((row) => ({
                row: [row.region, ...(versions > 1 ? [row.version] : [])].join(", "),
                series: row.model,
                value: row.effect.mean!,
                low: row.effect.low ?? undefined,
                high: row.effect.high ?? undefined,
              })),
          }),
      },
    ],
    remarks: without.map(
      ({ region, version, withoutControl }) =>
        `${region}, ${version}: in ${withoutControl} images it is too large to lie elsewhere, too; they are not in the difference`,
    ),
  };
}

function finding({ model, region, version, effect, verdict, withoutControl }: Tested): Finding[] {
  if (verdict === null) return [];
  const { outcome, pValue, smallestSeen } = verdict;
  return [
    {
      claim: `${model} loses more by ${region} being hidden than by as much elsewhere (${version})`,
      verdict: outcome === "equivalent" ? "equivalent to none" : outcome,
      evidence: [
        `${pointsCell(effect.mean).text} points, 95% ${interval(effect, (value) => pointsCell(value).text)}, ${effect.images} images`,
        pValue === null ? "" : `p = ${pValue.toPrecision(2)} after Holm`,
        outcome === "cannot be told" && smallestSeen !== null
          ? `${(100 * smallestSeen).toFixed(1)} points could have been seen`
          : "",
        withoutControl > 0 ? `${withoutControl} images without room for a control left out` : "",
      ]
        .filter((part) => part !== "")
        .join("; "),
    },
  ];
}

function sharesSection(rows: readonly Tested[]): Section {
  const { columns, cells } = named(rows);
  const all = rows.flatMap(({ group, methods }) => methods.map(() => group === allImages));
  return {
    name: "shares",
    heading: "How much of the maps lies there",
    text: "Of what of a map speaks for the class (is above 0), the share within the region, beside the region's share of the image: a map that knew nothing would have as much.",
    tables: [
      {
        name: "shares",
        caption:
          "Means over images; 95% intervals over images alone. Images whose map is nowhere above 0 have no share",
        columns: [
          ...columns,
          ...["map", "images", "of the map", "of the area", "above", "95%", "blank"].map((title) => ({
            title,
          })),
        ],
        rows: rows.flatMap((row) =>
          row.methods.map(({ method, share, area, above, blank }) => ({
            cells: [
              ...cells(row),
              method,
              { value: share.images, text: String(share.images) },
              percentCell(share.mean),
              percentCell(area.mean),
              pointsCell(above.mean),
              interval(above, (value) => pointsCell(value).text),
              { value: blank, text: String(blank) },
            ],
          })),
        ),
        ...(all.includes(false) && {
          shown: {
            rows: [...all.keys()].filter((row) => all[row]),
            why: "groups are in the table's file and in the data",
          },
        }),
      },
    ],
  };
}

function randomSection({ models }: LooksAnswer): Section {
  const cell = ({ mean, images }: ImageMean): NumberCell =>
    images === 0 ? { value: null, text: "blank" } : decimalCell(mean, 2);
  const rows = models.flatMap(({ look }) => look.randomised.map((row) => ({ model: look.model, ...row })));
  const parts = rows[0]!.parts.map(({ part }) => part);
  const open = models.flatMap(({ look }) => look.open.map((each) => ({ model: look.model, ...each })));
  return {
    name: "randomised",
    heading: "Do the maps show the model?",
    text: "Spearman's ρ between each map and the map of the same image after weights were shuffled, from the last layer down. A map that stays as it is shows the image's edges, and nothing of what was learned. Beside it what maps of two different images have in common anyway.",
    tables: [
      {
        name: "randomised",
        caption: "Mean ρ over images, by what of the network is random",
        columns: ["model", "map", ...parts, "two images, nothing random"].map((title) => ({ title })),
        rows: rows.map(({ model, method, parts, otherImages }) => ({
          cells: [model, method, ...parts.map(cell), cell(otherImages)],
        })),
      },
    ],
    remarks: open.map(
      ({ model, method, median, largest, points }) =>
        `${method} of ${model} should add up to what the logit rises; ${percentText(median)} of that is open in the median image, ${percentText(largest)} at most, with ${points} points in the median`,
    ),
  };
}

function interval({ low, high }: ImageMean, text: (value: number) => string): string {
  return low === null || high === null ? "–" : `${text(low)} to ${text(high)}`;
}
