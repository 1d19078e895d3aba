/** Makes every picture in docs/images: `npm run build && node docs/make-pictures.mjs [part of a name]`. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { centreMap } from "../dist/src/audits/data-bias/charts.js";
import { datasetObjects } from "../dist/src/audits/data-bias/dataset-objects.js";
import { measureDataBias } from "../dist/src/audits/data-bias/measure.js";
import { auditLineWithPoints } from "../dist/src/audits/line/audit-line.js";
import { gridFigure, lineGrids } from "../dist/src/audits/line/group-grid.js";
import { lineFigures } from "../dist/src/audits/line/line-figures.js";
import { chartPng, drawChart } from "../dist/src/charts/chart.js";
import { randomStream } from "../dist/src/core/random.js";
import { parseAssignments } from "../dist/src/core/settings.js";
import { normalCdf } from "../dist/src/core/statistics/index.js";
import { paperFactors } from "../dist/src/datasets/diagvib/factors.js";
import { paperStudies } from "../dist/src/datasets/diagvib/patterns.js";
import { findDataset } from "../dist/src/datasets/index.js";
import { writeWhole } from "../dist/src/disk/write-whole.js";
import { contactSheet } from "../dist/src/formats/card/contact-sheet.js";
import { createSheet, drawImage, drawText } from "../dist/src/formats/card/drawing.js";
import { occurrenceMatrix } from "../dist/src/formats/card/occurrence-matrix.js";
import { watermarked } from "../dist/src/formats/watermark-dataset.js";
import { subset } from "../dist/src/images/change-dataset.js";
import { centreCrop } from "../dist/src/images/resize.js";
import { contents } from "../dist/src/images/watermark/contents.js";
import { addRandomWatermark } from "../dist/src/images/watermark/random-watermark.js";
import { addWatermark, imageNetW } from "../dist/src/images/watermark/watermark.js";
import { builtInTexture, textureKinds } from "../dist/src/sources/textures/index.js";
import { gapSection } from "../dist/src/studies/demo/sections.js";
import { batchBuffers } from "../dist/src/training/batch-feed.js";
import { BatchMaker } from "../dist/src/training/make-batch.js";
import { pixelStatistics } from "../dist/src/training/pixel-statistics.js";
import { survivingInk } from "../dist/src/training/surviving-ink.js";
import { views } from "../dist/src/views/index.js";
import { resolveUse } from "../dist/src/views/resolve-use.js";
import { isMixing } from "../dist/src/views/view.js";

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

/** One training image of each of UrbanCars' eight groups. */
async function urbanCarsGroups() {
  const { images, labels, attributes, classNames } = await build("urban-cars");
  const [tile, gap] = [224, 14];
  const context = await createSheet(100 + 4 * (tile + gap), 56 + 2 * (tile + 26));
  for (let group = 0; group < 8; group++) {
    const [label, background, thing] = [group >> 2, (group >> 1) & 1, group & 1];
    const member = (i) =>
      labels[i] === label &&
      attributes.background.values[i] === background &&
      attributes.coObject.values[i] === thing;
    const members = [...labels.keys()].filter((i) => i < 8000 && member(i));
    const [x, y] = [90 + (group % 4) * (tile + gap), 46 + label * (tile + 26)];
    if (label === 0) {
      drawText(context, `background ${classNames[background]}`, x, 22, { size: 13, weight: 600 });
      drawText(context, `object ${classNames[thing]}`, x, 38, { size: 13 });
    }
    if (group % 4 === 0) drawText(context, classNames[label], 14, y + tile / 2, { size: 15, weight: 600 });
    drawImage(context, await images.pixels(members[5]), x, y, tile);
    drawText(context, `${members.length} in training`, x, y + tile + 16, { size: 12 });
  }
  return context.canvas.encode("png");
}

/** An image and the pictures that go with it. */
async function urbanCarsSides() {
  const { images, sideImages } = await build("urban-cars");
  const [tile, gap, index] = [224, 14, 12];
  const all = [["image", images], ...Object.entries(sideImages)];
  const context = await createSheet(gap + all.length * (tile + gap), tile + 54);
  for (const [column, [name, pictures]] of all.entries()) {
    const x = gap + column * (tile + gap);
    drawText(context, name, x, 26, { size: 13, weight: 600 });
    drawImage(context, await pictures.pixels(index), x, 38, tile);
  }
  return context.canvas.encode("png");
}

/** The paper's contents on one drawn image, and a random one. */
async function watermarks() {
  const [side, gap] = [224, 16];
  const { images } = await build("urban-cars", [
    ...["train=16", "val=0", "test=0"].map((count) => `count.${count}`),
    ...["train", "val", "test"].map((split) => `backgrounds.${split}=8`),
  ]);
  const plain = centreCrop(await images.pixels(7), side, side);
  const random = { ...plain, data: Uint8Array.from(plain.data) };
  addRandomWatermark(random.data, random, randomStream(0, "picture").at(3));
  const tiles = [
    ...Object.entries(contents).map(([name, { text, typeface }]) => [
      name,
      addWatermark(plain, { ...imageNetW, text, typeface }),
    ]),
    ["--random", random],
  ];
  const context = await createSheet(20 + 4 * (side + gap), 20 + 2 * (side + 36));
  for (const [i, [name, image]] of tiles.entries()) {
    const [x, y] = [18 + (i % 4) * (side + gap), 16 + Math.floor(i / 4) * (side + 36)];
    drawImage(context, image, x, y, side);
    drawText(context, name, x, y + side + 20, { size: 14, weight: 600 });
  }
  return context.canvas.encode("png");
}

/** What the demo finds, which takes it some minutes. */
async function demoGaps() {
  const out = mkdtempSync(join(tmpdir(), "cuelab-demo-"));
  const program = join(import.meta.dirname, "../dist/program/main.js");
  const text = execFileSync(process.execPath, [program, "demo", "--out", out, "--json"], {
    encoding: "utf8",
  });
  rmSync(out, { recursive: true });
  return chartPng(await drawChart(gapSection(JSON.parse(text).runs).figures[0].draw()));
}

/** A figure of `cuelab simulate`, as it writes it. */
const simulated =
  (figure, ...words) =>
  async () => {
    const out = mkdtempSync(join(tmpdir(), "cuelab-simulate-"));
    const program = join(import.meta.dirname, "../dist/program/main.js");
    execFileSync(process.execPath, [program, "simulate", ...words, "--out", out, "--quiet"]);
    const picture = readFileSync(join(out, "figures", `${figure}.png`));
    rmSync(out, { recursive: true });
    return picture;
  };

/** Features of a small network, by class and by colour, as docs/embeddings.md has it. */
const embedded = (figure) => async () => {
  const out = mkdtempSync(join(tmpdir(), "cuelab-embed-"));
  const cuelab = (...words) =>
    execFileSync(process.execPath, [
      join(import.meta.dirname, "../dist/program/main.js"),
      ...words,
      "--quiet",
    ]);
  const data = ["--data", "colored-mnist", "--set", "trainPerEnvironment=1500", "--set", "size=14"];
  const network = ["--model", "small-cnn", "--model-set", "width=8", "--epochs", "3", "--lr", "0.01"];
  cuelab("train", ...data, ...network, "--threads", "1", "--out", join(out, "R"));
  cuelab("embed", join(out, "R"), "--points", "1000", "--out", join(out, "E"));
  const picture = readFileSync(join(out, "E/figures", `${figure}.png`));
  rmSync(out, { recursive: true });
  return picture;
};

/** 120 made-up models that trust the background more or less, on groups in Waterbirds' proportions. */
const madeGroups = async () => {
  const random = randomStream(0, "docs/line-groups").at(0);
  const groups = [0, 1].flatMap((y) => [0, 1].map((place) => ({ y, place })));
  const columns = ["train", "val+test"].flatMap((where) =>
    groups.map(({ y, place }) => `${where} class=${y} place=${place}`),
  );
  const images = [3498, 184, 56, 1057, 2722, 2721, 775, 775];
  const lines = Array.from({ length: 120 }, () => {
    const [skill, trust, landbirds] = [
      1.2 + 0.4 * random.normal(),
      0.8 * random.uniform(),
      0.5 * random.normal(),
    ];
    const shares = groups.map(({ y, place }) =>
      normalCdf(skill + (y === place ? trust : -trust) + (y === 0 ? landbirds : -landbirds)),
    );
    const measured = (share, n) => share + Math.sqrt((share * (1 - share)) / n) * random.normal();
    return images.map((n, i) => Math.min(1, Math.max(0, measured(shares[i % 4], n)))).join();
  });
  const out = mkdtempSync(join(tmpdir(), "cuelab-line-"));
  try {
    const table = join(out, "groups.csv");
    writeFileSync(table, `${[columns.join(), ...lines].join("\n")}\n`);
    const [home, abroad] = [columns.slice(0, 4), columns.slice(4)];
    const pairs = abroad.flatMap((ood) => home.map((id) => ({ id: [id], ood })));
    const { splits, scale } = await auditLineWithPoints({ tables: [table], pairs });
    return await chartPng(await drawChart(gridFigure(lineGrids(splits)[0], scale)), 1);
  } finally {
    rmSync(out, { recursive: true });
  }
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
const hardSpurious = ["count.train.easy=2", "count.train.medium=2", "count.train.hard=2", "count.val=0"];

/** All twelve groups of one photograph, for three classes. */
async function hardSpuriousGroups() {
  const tile = 150;
  const codes = ["CeO", "CoO", "CeR", "CoR"];
  const classes = ["sedan", "cow", "fireplug"];
  const dataset = await build("hard-spurious", [...hardSpurious, "count.test=1"]);
  const { group } = dataset.attributes;
  const width = 60 + classes.length * (codes.length * (tile + 4) + 24);
  const context = await createSheet(width, 80 + 3 * (tile + 4));
  for (const [block, name] of classes.entries()) {
    const left = 60 + block * (codes.length * (tile + 4) + 24);
    drawText(context, name, left, 28, { size: 17, weight: 600 });
    for (const [row, size] of [56, 84, 112].entries()) {
      const y = 64 + row * (tile + 4);
      if (block === 0) drawText(context, String(size), 16, y + tile / 2, { size: 15, weight: 600 });
      for (const [column, code] of codes.entries()) {
        const x = left + column * (tile + 4);
        if (row === 0) drawText(context, code, x, 54, { size: 13 });
        const wanted = group.valueNames.indexOf(`${code}-${size}`);
        const index = dataset.labels.findIndex(
          (label, i) =>
            dataset.splits.values[i] === 2 &&
            dataset.classNames[label] === name &&
            group.values[i] === wanted,
        );
        drawImage(context, await dataset.images.pixels(index), x, y, tile);
      }
    }
  }
  return context.canvas.encode("png");
}

/** Photographs, and their backgrounds by each way of filling. */
async function inpainting() {
  const tile = 128;
  const rows = ["photograph", "telea", "navier-stokes", "tiled", "exact"];
  const labels = [0, 3, 7, 8, 12, 13];
  const context = await createSheet(140 + labels.length * (tile + 6), 20 + rows.length * (tile + 6));
  for (const [row, name] of rows.entries()) {
    const y = 10 + row * (tile + 6);
    drawText(context, name, 14, y + tile / 2, { size: 14, weight: 600 });
    const set = name === "photograph" ? ["content=photographs"] : ["content=backgrounds", `inpaint=${name}`];
    const { images, labels: all } = await build("hard-spurious", [...hardSpurious, ...set]);
    for (const [column, label] of labels.entries())
      drawImage(context, await images.pixels(all.indexOf(label)), 130 + column * (tile + 6), y, tile);
  }
  return context.canvas.encode("png");
}

/** One photograph of each class, before anything is cut out. */
async function drawnPhotographs() {
  const tile = 180;
  const { images, labels, classNames } = await build("hard-spurious", [
    ...hardSpurious,
    "content=photographs",
  ]);
  const context = await createSheet(20 + 5 * (tile + 10), 20 + 3 * (tile + 34));
  for (const [label, name] of classNames.entries()) {
    const [x, y] = [14 + (label % 5) * (tile + 10), 14 + Math.floor(label / 5) * (tile + 34)];
    drawImage(context, await images.pixels(labels.indexOf(label)), x, y, tile);
    drawText(context, name, x, y + tile + 18, { size: 14, weight: 600 });
  }
  return context.canvas.encode("png");
}

/** Where the objects of the drawn photographs are. */
async function objectCentres() {
  const dataset = await build("hard-spurious", ["content=photographs"]);
  return chartPng(await drawChart(centreMap(await measureDataBias(datasetObjects(dataset)))));
}

/** Every view but those that choose among others, each changing its image for certain; the image itself first. */
function certainViews() {
  const always = new Set(["flip", "grey", "erase", "watermark"]);
  return views.names
    .filter((name) => name !== "one-of")
    .toSorted((name) => (name === "original" ? -1 : 0))
    .map((view) => ({
      view,
      ...(always.has(view) && { with: { probability: 1 } }),
      ...(view === "mixup" && { with: { alpha: 1e4 } }),
      ...(view === "copy" && { with: { side: "bg_only" } }),
    }));
}

/** One image of UrbanCars by every view, `under` saying a word below its name. */
async function viewsOfOneCar(cars, under) {
  const [tile, gap, columns, index] = [160, 12, 6, 12];
  const part = Uint32Array.from({ length: 200 }, (_, i) => i);
  const { mean } = await pixelStatistics(cars, part);
  const uses = certainViews();
  const size = { height: 128, width: 128, channels: 3 };
  const rows = Math.ceil(uses.length / columns);
  const context = await createSheet(gap + columns * (tile + gap), rows * (tile + 44) + gap);
  for (const [i, use] of uses.entries()) {
    const maker = new BatchMaker(cars, { labels: cars.labels, seed: 2 });
    const plan = {
      batchSize: 2,
      views: { images: [use] },
      part,
      scope: "",
      mean: mean.map((value) => 255 * value),
    };
    const batch = batchBuffers(new ArrayBuffer(2 * (16 + 3 * 128 * 128)), plan);
    maker.configure(plan);
    // The partner within the batch is of another class, too; at some step a mixing takes it.
    const other = cars.labels.findIndex((label) => label !== cars.labels[index]);
    const isPlain = () => batch.partners[0] === 0 || batch.shares[0] > 0.8;
    for (let step = 0; step === 0 || (isMixing(views.get(use.view)) && isPlain()); step++)
      await maker.fill({ indices: Uint32Array.of(index, other), step }, batch);
    const [x, y] = [gap + (i % columns) * (tile + gap), Math.floor(i / columns) * (tile + 44)];
    const word = (await under?.(use, plan.mean)) ?? "";
    drawText(context, `${use.view}${word}`, x, y + 26, { size: 13, weight: 600 });
    drawImage(context, { data: batch.views.images.subarray(0, 128 * 128 * 3), ...size }, x, y + 38, tile);
  }
  return context.canvas.encode("png");
}

async function viewsOfCars() {
  return viewsOfOneCar(await build("urban-cars", ["size=128"]));
}

/** The same with a watermark on the image, and the share of its ink that each view leaves: by default settings, printed. */
async function watermarkedViews() {
  const cars = subset(
    await build("urban-cars", ["size=128"]),
    Uint32Array.from({ length: 200 }, (_, i) => i),
  );
  const marked = watermarked(cars, {
    watermark: imageNetW,
    alpha: imageNetW.alpha,
    classes: [],
    probability: 1,
    seed: 0,
  });
  return viewsOfOneCar(marked, async (use, mean) => {
    const ask = { watermark: imageNetW, indices: [12, 40, 77, 101, 130, 166], draws: 20, mean, seed: 3 };
    const certain = await survivingInk(cars, resolveUse(use), ask);
    const usual = await survivingInk(
      cars,
      resolveUse({ view: use.view, ...(use.view === "copy" && use) }),
      ask,
    );
    const percent = (share) => `${Math.round(100 * share)}%`;
    console.log(`| \`${use.view}\` | ${percent(usual)} | ${percent(certain)} |`);
    return ` ${percent(certain)}`;
  });
}

const pictures = {
  "views.png": viewsOfCars,
  "watermark-views.png": watermarkedViews,
  "embeddings/class.png": embedded("class"),
  "embeddings/color.png": embedded("color"),
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
  "line-groups.png": madeGroups,
  "line-residuals.png": madeLine("residuals", 6000, brokenLine),
  "demo-gaps.png": demoGaps,
  "colored-mnist.png": sheet("colored-mnist"),
  "biased-mnist.png": sheet("biased-mnist", { cue: "digitPosition", by: "textureMajority", examples: 1 }),
  "biased-mnist-values.png": ownValues,
  "biased-mnist-scales.png": scales,
  "urban-cars-groups.png": urbanCarsGroups,
  "urban-cars-sides.png": urbanCarsSides,
  "urban-cars.png": sheet("urban-cars", { examples: 2 }, ["size=64"]),
  "diagvib.png": factorClasses,
  "diagvib-textures.png": textures,
  "diagvib-study.png": sheet("diagvib-study:shape-hue-FGO-5-0", { examples: 3 }),
  "hard-spurious.png": hardSpuriousGroups,
  "hard-spurious-photographs.png": drawnPhotographs,
  "hard-spurious-inpainting.png": inpainting,
  "data-bias-centres.png": objectCentres,
  "watermarks.png": watermarks,
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
  await writeWhole(join(folder, name), await make(), { overwrite: true });
  console.log(name);
}
