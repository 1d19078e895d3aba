/** Makes every picture in docs/images: `npm run build && node docs/make-pictures.mjs [part of a name]`. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { auditLineWithPoints } from "../dist/src/audits/line/audit-line.js";
import { randomStream } from "../dist/src/core/random.js";
import { parseAssignments } from "../dist/src/core/settings.js";
import { normalCdf } from "../dist/src/core/statistics/index.js";
import { paperFactors } from "../dist/src/datasets/diagvib/factors.js";
import { paperStudies } from "../dist/src/datasets/diagvib/patterns.js";
import { findDataset } from "../dist/src/datasets/index.js";
import { contactSheet } from "../dist/src/formats/card/contact-sheet.js";
import { createSheet, drawImage, drawText } from "../dist/src/formats/card/drawing.js";
import { occurrenceMatrix } from "../dist/src/formats/card/occurrence-matrix.js";
import { writePicture } from "../dist/src/formats/write-picture.js";
import { chartPng, drawChart } from "../dist/src/reports/chart.js";
import { gapChart } from "../dist/src/reports/demo/charts.js";
import { lineFigures } from "../dist/src/reports/line/line-figures.js";
import { builtInTexture, textureKinds } from "../dist/src/sources/textures/index.js";

const folder = join(import.meta.dirname, "images");

async function build(name, set = []) {
  const { definition, assignments } = findDataset(name);
  return definition.build(parseAssignments(definition.settings, [...assignments, ...set]), 0);
}

const sheet = (name, options, set) => async () => contactSheet(await build(name, set), options);
const matrix = (name) => async () => occurrenceMatrix(await build(name));

/** Each factor's classes, one row a factor, all else being equal. */
async function factorClasses() {
  const tile = 96;
  const width = 150 + 10 * (tile + 6);
  const names = [...paperFactors, "background", "corruption"];
  const context = await createSheet(width, 40 + names.length * (tile + 30));
  for (const [row, factor] of names.entries()) {
    const y = 24 + row * (tile + 30);
    drawText(context, factor, 20, y + tile / 2, { size: 15, weight: 600 });
    const all = await build("diagvib", [
      `predict=${factor}`,
      "count.train=4000",
      "classes.scale=large",
      "classes.shape=5",
      ...keep(factor),
    ]);
    for (const [column, name] of all.classNames.entries()) {
      const x = 150 + column * (tile + 6);
      const index = all.labels.indexOf(column);
      drawImage(context, await all.images.pixels(index), x, y, tile);
      drawText(context, name, x, y + tile + 14, { size: 11, width: tile });
    }
  }
  return context.canvas.encode("png");
}

/** One class of each factor but the one that varies. */
function keep(varied) {
  const fixed = {
    position: "center-center",
    hue: "yellow",
    lightness: "brighter",
    scale: "large",
    shape: "5",
    texture: "tiles",
  };
  return Object.entries(fixed)
    .filter(([factor]) => factor !== varied)
    .map(([factor, name]) => `classes.${factor}=${name}`)
    .concat(`classes.${varied}=${allOf[varied] ?? ""}`)
    .filter((assignment) => !assignment.endsWith("="));
}

const allOf = { scale: "small,smaller,normal,larger,large", shape: "0,1,2,3,4,5,6,7,8,9" };

/** A picture of each kind, and enlarged crops of the size that fills an object. */
async function textures() {
  const [side, gap] = [150, 10];
  const context = await createSheet(40 + textureKinds.length * (side + gap), 70 + 2 * (side + gap));
  for (const [column, kind] of textureKinds.entries()) {
    const x = 20 + column * (side + gap);
    drawText(context, kind, x, 36, { size: 15, weight: 600 });
    const { grey, width, height } = builtInTexture(kind, 0);
    drawImage(context, { data: grey, width, height, channels: 1 }, x, 50, side);
    for (let crop = 0; crop < 4; crop++) {
      const { grey, width } = builtInTexture(kind, crop);
      const data = Uint8Array.from(
        { length: 1600 },
        (_, i) => grey[(70 + Math.floor(i / 40)) * width + 90 + (i % 40)],
      );
      const half = (side - 6) / 2;
      const at = [x + (crop % 2) * (half + 6), 50 + side + gap + Math.floor(crop / 2) * (half + 6)];
      drawImage(context, { data, width: 40, height: 40, channels: 1 }, at[0], at[1], half);
    }
  }
  return context.canvas.encode("png");
}

/** One image of each class with all its own values. */
async function ownValues() {
  const { images, labels, classNames } = await build("biased-mnist", ["pBias=1", "count.train=500"]);
  const tile = 144;
  const context = await createSheet(20 + 5 * (tile + 14), 20 + 2 * (tile + 34));
  for (const [label, name] of classNames.entries()) {
    const [x, y] = [20 + (label % 5) * (tile + 14), 20 + Math.floor(label / 5) * (tile + 34)];
    drawImage(context, await images.pixels(labels.indexOf(label)), x, y, tile);
    drawText(context, name, x, y + tile + 18, { size: 14, weight: 600 });
  }
  return context.canvas.encode("png");
}

/** The same five images on each canvas, and in the muted palette. */
async function scales() {
  const tile = 192;
  const rows = [
    { name: "96", set: [] },
    { name: "64", set: ["scale=64"] },
    { name: "48", set: ["scale=48"] },
    { name: "muted", set: ["colors=muted"] },
  ];
  const context = await createSheet(80 + 5 * (tile + 12), 20 + 4 * (tile + 12));
  for (const [row, { name, set }] of rows.entries()) {
    const y = 12 + row * (tile + 12);
    drawText(context, name, 12, y + tile / 2, { size: 14, weight: 600 });
    const { images, labels } = await build("biased-mnist", ["pBias=1", "count.train=500", ...set]);
    for (const [column, label] of [2, 5, 7, 8, 9].entries())
      drawImage(context, await images.pixels(labels.indexOf(label)), 70 + column * (tile + 12), y, tile);
  }
  return context.canvas.encode("png");
}

/** What the demo finds, which takes it some minutes. */
async function demoGaps() {
  const out = mkdtempSync(join(tmpdir(), "cuelab-demo-"));
  const program = join(import.meta.dirname, "../dist/src/cli/main.js");
  const text = execFileSync(process.execPath, [program, "demo", "--out", out, "--json"], {
    encoding: "utf8",
  });
  rmSync(out, { recursive: true });
  return chartPng(await drawChart(gapChart(JSON.parse(text).runs, 520)));
}

/** A figure of `cuelab simulate`, as it writes it. */
const simulated =
  (figure, ...words) =>
  async () => {
    const out = mkdtempSync(join(tmpdir(), "cuelab-simulate-"));
    const program = join(import.meta.dirname, "../dist/src/cli/main.js");
    execFileSync(process.execPath, [program, "simulate", ...words, "--out", out, "--quiet"]);
    const picture = readFileSync(join(out, "figures", `${figure}.png`));
    rmSync(out, { recursive: true });
    return picture;
  };

/** A figure of made-up accuracies: `draw` gives one model's ID and OOD accuracy in probits. */
const madeLine = (figure, models, draw) => async () => {
  const random = randomStream(0, "docs/line").at(0);
  const rows = Array.from({ length: models }, () => draw(random).map(normalCdf).join());
  const out = mkdtempSync(join(tmpdir(), "cuelab-line-"));
  const table = join(out, "accuracies.csv");
  writeFileSync(table, `id,ood\n${rows.join("\n")}\n`);
  const { splits, scale } = await auditLineWithPoints({
    tables: [table],
    id: ["id"],
    ood: ["ood"],
    converge: figure === "convergence",
  });
  rmSync(out, { recursive: true });
  return chartPng(await drawChart(lineFigures(splits[0], scale)[figure]));
};

const inverseLine = (random) => {
  const id = 0.6 + 0.4 * random.normal();
  return [id, 0.3 - 1.1 * id + 0.35 * random.normal()];
};

/** Rising up to an ID accuracy of 90%, falling beyond. */
const brokenLine = (random) => {
  const id = 2.6 * random.beta(2, 1.2) - 0.4;
  return [id, 0.15 + 0.8 * id - 2 * Math.max(0, id - 1.2816) + 0.17 * random.normal()];
};

const pictures = {
  "line-theory/gaussian.png": simulated("accuracy", "gaussian"),
  "line-theory/mixture.png": simulated("accuracy", "mixture"),
  "line-theory/interpolation.png": simulated("accuracy", "interpolation"),
  "line-theory/line.png": simulated("family", "line"),
  "line-theory/line-noise.png": simulated("family", "line", "--label-noise", "0.25"),
  "line-theory/share.png": simulated("best", "share"),
  "line-theory/correlation.png": simulated("correlation", "share"),
  "line-inverse.png": madeLine("line", 150, inverseLine),
  "line-convergence.png": madeLine("convergence", 2500, inverseLine),
  "line-regimes.png": madeLine("line", 6000, brokenLine),
  "line-residuals.png": madeLine("residuals", 6000, brokenLine),
  "demo-gaps.png": demoGaps,
  "colored-mnist.png": sheet("colored-mnist"),
  "biased-mnist.png": sheet("biased-mnist", { cue: "digitPosition", by: "textureMajority", examples: 1 }),
  "biased-mnist-values.png": ownValues,
  "biased-mnist-scales.png": scales,
  "diagvib.png": factorClasses,
  "diagvib-textures.png": textures,
  "diagvib-study.png": sheet("diagvib-study:shape-hue-FGO-5-0", { examples: 3 }),
  ...Object.fromEntries(
    paperStudies.map((study) => [
      `diagvib-studies/${study}.png`,
      matrix(`diagvib-study:shape-hue-${study}-0`),
    ]),
  ),
};

for (const [name, make] of Object.entries(pictures)) {
  if (!name.includes(process.argv[2] ?? "")) continue;
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  await writePicture(join(folder, name), await make());
  console.log(name);
}
