/** The demo's report: what was done, what came out, and everything needed to trace it. */

import { drawChart } from "../../charts/chart.ts";
import type { Dataset } from "../../core/dataset.ts";
import { html, type Markup } from "../../core/markup.ts";
import { version } from "../../core/version.ts";
import { cueName } from "../../studies/demo/findings.ts";
import type { DemoRun, ImageEstimate } from "../../studies/demo/measure.ts";
import { type DemoChoice, demoBase, demoSeed } from "../../studies/demo/plan.ts";
import { points } from "../../studies/summaries.ts";
import {
  bulletList,
  commands,
  definitions,
  figure,
  gallery,
  htmlPage,
  htmlTable,
  type PageSection,
  paragraph,
} from "../html-page.ts";
import { demoAccuracyChart, gapChart } from "./charts.ts";
import { classExamples } from "./examples.ts";

export interface DemoPage {
  dataset: Dataset;
  /** Of the images, labels and attributes. */
  hash: string;
  runs: readonly DemoRun[];
  findings: readonly string[];
  chance: number;
  choice: DemoChoice;
  /** What to type next, and what each does. */
  next: readonly (readonly [command: string, does: string])[];
}

export async function demoPage(demo: DemoPage): Promise<string> {
  const cues = count(cuesOf(demo).length);
  return htmlPage({
    title: "Which shortcuts do three networks take?",
    lead:
      `They learned digits from ${count(splitSize(demo.dataset, "train"))} images in which ${cues} other things go ` +
      "with the digit: colours, shapes, textures, a place. A network that uses them is right for the wrong reason.",
    sections: [
      { heading: "In short", body: [html`<div class="finding">${demo.findings.map(paragraph)}</div>`] },
      await pictures(demo),
      await gaps(demo),
      await accuracy(demo),
      made(demo),
      goOn(demo),
    ],
  });
}

function toldText(told: readonly string[]): string {
  return told.length === 0 ? "" : ` (here: ${told.map(cueName).join(", ")})`;
}

async function pictures({ dataset }: DemoPage): Promise<PageSection> {
  return {
    heading: "What they saw",
    body: [
      gallery(
        "Training images: for each class one with as many cues of its own as there are. Below, the class and how many of its cues it has.",
        await classExamples(dataset, "train"),
      ),
      gallery("Test images: the first of each class.", await classExamples(dataset, "test")),
      paragraph(dataset.provenance.description),
    ],
  };
}

/** In pixels, of the part between the axes: for a page's column, and for a phone. */
const widths = { wide: 520, narrow: 200 };

async function gaps(demo: DemoPage): Promise<PageSection> {
  const { runs } = demo;
  const marked = runs.some(({ told }) => told.length > 0);
  return {
    heading: "How much each cue matters to them",
    body: [
      paragraph(
        "The gap of a cue is the accuracy on test images where it goes with the class (the majority), less the " +
          "accuracy on the others (the minority). Who does not use a cue has no gap.",
      ),
      figure(
        `Gap of each cue with its 95% interval over test images.${marked ? " The cue that was told lies on a band." : ""}`,
        await drawChart(gapChart(runs, widths.wide)),
        await drawChart(gapChart(runs, widths.narrow)),
      ),
      resultTable(demo),
    ],
  };
}

function resultTable(demo: DemoPage): Markup {
  const { runs } = demo;
  const told = (name: string) => runs.some((run) => run.told.includes(name));
  return htmlTable(
    "The gap of each cue in percentage points, and the accuracy on test images; below each its 95% interval over test images: one seed, so nothing is known of others.",
    [{ title: "Gap" }, ...runs.map(({ label }) => ({ title: label, numeric: true }))],
    [
      ...cuesOf(demo).map((name) => ({
        marked: told(name),
        cells: [
          told(name) ? html`${cueName(name)} <span class="tag">told</span>` : cueName(name),
          ...runs.map(({ cues }) => cell(cues[name]!.mmd)),
        ],
      })),
      { cells: [html`<strong>Accuracy, %</strong>`, ...runs.map(({ accuracy }) => cell(accuracy))] },
    ],
  );
}

function cell({ value, low, high }: ImageEstimate): Markup {
  return html`${points(value)}<span class="interval">${points(low)} to ${points(high)}</span>`;
}

async function accuracy({ runs, chance }: DemoPage): Promise<PageSection> {
  return {
    heading: "Accuracy",
    body: [
      figure(
        "Accuracy on test images with its 95% interval over them.",
        await drawChart(demoAccuracyChart(runs, chance, widths.wide)),
        await drawChart(demoAccuracyChart(runs, chance, widths.narrow)),
      ),
    ],
  };
}

function made({ dataset, hash, runs, choice }: DemoPage): PageSection {
  const { data, model, epochs, batchSize, optimiser } = demoBase(choice);
  const { generator, sources } = dataset.provenance;
  const assignments = assignmentsOf(data.settings).map((assignment) => ` --set ${assignment}`);
  return {
    heading: "How it was made",
    body: [
      bulletList(
        runs.map(({ label, does, told }) => html`<strong>${label}</strong> ${does}${toldText(told)}.`),
      ),
      definitions([
        [
          "images",
          html`<code>cuelab data make ${data.name}${assignments.join("")} --seed ${data.seed} --out D</code>`,
        ],
        ["their content hash", html`<code>${hash}</code>`],
        ["generator", `${generator.name}, version ${generator.version}`],
        ["sources", sources.map(({ name, license }) => `${name} (${license})`).join("; ")],
        [
          "network",
          html`<code>${model.name}</code> with ${Object.entries(model.options)
            .map(([name, value]) => `${name} ${value}`)
            .join(" and ")}`,
        ],
        [
          "training",
          `${count(epochs)} ${epochs === 1 ? "epoch" : "epochs"} in batches of ${batchSize}, ${optimiser.name}, rate ` +
            `${optimiser.rate}, weight decay ${optimiser.weightDecay}, seed ${demoSeed}; the last epoch is kept`,
        ],
        ["program", `cuelab ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`],
      ]),
      htmlTable(
        "Each run's folder, beside this page, holds its settings, history, predictions and network.",
        [{ title: "Network" }, { title: "Folder" }],
        runs.map(({ label, id }) => ({ cells: [label, html`<code>runs/${id}</code>`] })),
      ),
    ],
  };
}

/** `{ count: { train: 5 } }` → `count.train=5`. */
function assignmentsOf(settings: object, prefix = ""): string[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? assignmentsOf(value, `${prefix}${key}.`)
      : [`${prefix}${key}=${String(value)}`],
  );
}

function goOn({ next }: DemoPage): PageSection {
  return {
    heading: "How to go on",
    body: next.flatMap(([command, does]) => [paragraph(does), commands([command])]),
  };
}

function cuesOf({ runs }: DemoPage): string[] {
  return Object.keys(runs[0]?.cues ?? {});
}

function splitSize({ splits }: Dataset, name: string): number {
  const code = splits.names.indexOf(name);
  return splits.values.reduce((sum, value) => sum + (value === code ? 1 : 0), 0);
}

function count(n: number): string {
  return n.toLocaleString("en");
}
