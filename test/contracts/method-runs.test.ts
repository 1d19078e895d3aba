/** What every method must do in whole runs, through all of its stages, on a network and images small enough to see it. */

import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { describe, expect, test } from "vitest";
import { subset } from "../../src/core/change-dataset.ts";
import type { Dataset } from "../../src/core/dataset.ts";
import { parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import { type Method, methods, supervisionOf } from "../../src/methods/index.ts";
import type { RunSpecInput } from "../../src/protocol/run-spec.ts";
import type { EpochRecord } from "../../src/protocol/train.ts";
import { readPredictions } from "../../src/store/predictions.ts";
import { fingerprint, temporaryFolder } from "../helpers/files.ts";
import { leftBy, smallRun, stagesOf } from "../helpers/small-run.ts";

const root = temporaryFolder();
const size = 16;

interface Case {
  label: string;
  method: Method;
  settings: Record<string, unknown>;
}

/** Settings that make a method quick, and further forms of it that are methods of their own. */
const forms: Record<string, Record<string, Record<string, unknown>>> = {
  "last-layer-ensemble": {
    "last-layer-ensemble": {},
    "last-layer-ensemble of one head": { ensemble: false, consistency: "js", consistencyWeight: 1 },
  },
  jtt: { jtt: { upweight: 3 } },
  dfr: {
    dfr: { strengths: [1, 0.1], refits: 2 },
    "dfr on validation": { on: "val", strengths: [100], refits: 2 },
    "dfr by steps": { form: "sgd", l2: 0.1, steps: 50, refits: 2, standardise: "sample" },
  },
};

const cases = methods.entries.flatMap((method) =>
  Object.entries(forms[method.name] ?? { [method.name]: {} }).map(
    ([label, settings]) => [label, { label, method, settings }] as const,
  ),
);

/** Why a method need not tell the images that it was trained on, though its loss must vanish. */
const forgets: Record<string, string> = {
  "domain-independent": "all heads predict together, and each has seen the images of its own domain alone",
};

/** Why its last stage need not tell the training images of the run. */
const learnsOthers: Record<string, string> = {
  "dfr on validation": "its last layer is fitted to the validation images",
};

const sizes: Record<string, string[]> = {
  "colored-mnist": ["size=14"],
  // Groups of both cues together, so that each class has both backgrounds.
  "urban-cars": ["bgCorrelation=0.5"],
};

const dataOf = (given: Case) =>
  toldBy(given).sides === undefined
    ? { name: "colored-mnist", cue: "color", rate: 0.02 }
    : { name: "urban-cars", cue: "background", rate: 0.0005 };

const toldBy = ({ method, settings }: Case) => supervisionOf(method, method.settings.parse(settings));

/** UrbanCars, whose masks views need, or ColoredMNIST: four training images of each class and colour, and again for validation and test. */
async function handful(given: Case): Promise<Dataset> {
  const { name, cue } = dataOf(given);
  const definition = datasets.get(name);
  const dataset = await definition.build(
    parseAssignments(definition.settings, [...definition.small, ...sizes[name]!]),
    0,
  );
  const values = dataset.attributes[cue]!.values;
  const groups = [0, 1, 2, 3].map((group) =>
    [...dataset.labels.keys()].filter((i) => 2 * dataset.labels[i]! + values[i]! === group).slice(0, 8),
  );
  const [first, others] = [
    groups.flatMap((group) => group.slice(0, 4)),
    groups.flatMap((group) => group.slice(4)),
  ];
  const all = subset(dataset, [...first, ...others, ...first]);
  const split = Uint8Array.from({ length: 3 * size }, (_, i) => Math.floor(i / size));
  return { ...all, splits: { names: ["train", "val", "test"], values: split } };
}

function specOf(given: Case, more: Partial<RunSpecInput> = {}): RunSpecInput {
  const { groups } = toldBy(given);
  return {
    data: { name: dataOf(given).name, identity: "test" },
    model: { name: "mlp", options: { width: 16 } },
    method: {
      name: given.method.name,
      settings: given.settings,
      ...(groups !== undefined && { explicit: ["color"] }),
    },
    optimiser: { rate: 0.01 },
    batchSize: 8,
    epochs: 3,
    seed: 3,
    threads: 1,
    ...more,
  };
}

/** The same images with other labels of their cues, and of their classes, in one split. */
function relabelled(dataset: Dataset, split: number, what: "cues" | "classes"): Dataset {
  const isIn = (i: number) => dataset.splits.values[i] === split;
  if (what === "classes")
    return { ...dataset, labels: dataset.labels.map((label, i) => (isIn(i) ? 1 - label : label)) };
  const turned = Object.entries(dataset.attributes).map(([name, attribute]) => [
    name,
    {
      ...attribute,
      values: attribute.values.map((value, i) =>
        (name === "color" || name === "background") && isIn(i) && i % 8 < 2 ? 1 - value : value,
      ),
    },
  ]);
  return { ...dataset, attributes: Object.fromEntries(turned) as Dataset["attributes"] };
}

const weightsOf = (out: string) => readFileSync(join(out, "model.onnx")).toString("base64");

describe.each(cases)("%s", (label, given) => {
  const at = (...names: string[]) => join(root, label.replaceAll(" ", "-"), ...names);

  test("learns a handful of images by heart, and its numbers are numbers", async () => {
    const dataset = await handful(given);
    const records: EpochRecord[] = [];
    const results = await smallRun(specOf(given, { epochs: 100, optimiser: { rate: dataOf(given).rate } }), {
      out: at("heart"),
      dataset,
      hooks: { onEpoch: (record) => records.push(record) },
    });
    expect(
      records.every(({ trainLoss, valLoss }) => Number.isFinite(trainLoss) && Number.isFinite(valLoss ?? 0)),
    ).toBe(true);
    const why = forgets[label] ?? learnsOthers[label];
    if (why !== undefined) console.info(`${label} is not asked for the images that it learnt: ${why}`);
    const slice = learnsOthers[label] === undefined ? "test" : "val";
    if (forgets[label] === undefined)
      expect(results!.accuracy.find((found) => found.slice === slice)!.accuracy).toBe(1);
    else {
      expect(records.at(-1)!.trainLoss).toBeLessThan(0.1 * records[0]!.trainLoss);
    }
  });

  /** What a kill leaves at some moments of an undisturbed run, by what happened there. */
  const moments = new Map<string, string>();
  let calm: Promise<string> | undefined;
  const calmRun = () => {
    calm ??= (async () => {
      const out = at("calm");
      const keep = (what: string) => {
        if (moments.has(what)) return;
        moments.set(what, at("left", String(moments.size)));
        leftBy(out, moments.get(what)!);
      };
      await smallRun(specOf(given), {
        out,
        dataset: await handful(given),
        checkpointSeconds: 0,
        hooks: {
          onProgress: ({ stage = "train", epoch, step }) => {
            if (step === 2 && epoch < 3) keep(`within ${stage}, epoch ${epoch}`);
          },
          onPhase: (phase) => {
            if (/^(stage|evaluating)/.test(phase)) keep(phase);
          },
        },
      });
      return out;
    })();
    return calm;
  };

  test("ends with the same bytes when it is run again, and wherever it was killed", async () => {
    const dataset = await handful(given);
    const spec = specOf(given);
    const out = await calmRun();
    const expected = fingerprint(out);
    expect(readdirSync(out)).not.toContain("stages");
    await smallRun(spec, { out: at("again"), dataset });
    expect(fingerprint(at("again"))).toEqual(expected);

    // All was written but the manifest; what it would have gone on from is still there.
    const last = [...moments.values()].at(-1)!;
    cpSync(last, at("unvouched"), { recursive: true });
    cpSync(out, at("unvouched"), { recursive: true, filter: (path) => !path.includes("manifest") });
    moments.set("before the manifest", at("unvouched"));
    storedOnly(moments, at);
    for (const [what, folder] of moments) {
      await smallRun(spec, { out: folder, dataset });
      expect(fingerprint(folder), what).toEqual(expected);
    }
  });

  test("its exported model predicts what the run predicted", async () => {
    const dataset = await handful(given);
    const out = await calmRun();
    const { indices, logits } = await readPredictions(join(out, "predictions.parquet"), 2, () => true);
    const pixels: Uint8Array[] = [];
    for (const index of indices) pixels.push((await dataset.images.pixels(index)).data);
    const session = await ort.InferenceSession.create(join(out, "model.onnx"));
    const { height, width, channels } = dataset.images.shape!;
    const images = new ort.Tensor("uint8", new Uint8Array(Buffer.concat(pixels)), [
      indices.length,
      height,
      width,
      channels,
    ]);
    const said = (await session.run({ images })).logits!.data as Float32Array;
    await session.release();
    // Float32 sums in another order.
    expect(Math.max(...said.map((value, i) => Math.abs(value - logits[i]!)))).toBeLessThan(1e-4);
  });

  test("reads no labels that its supervision does not name, in any stage", async () => {
    const { groups = [], trainsOnVal } = toldBy(given);
    const dataset = await handful(given);
    const told = weightsOf(await calmRun());
    const trained = async (out: string, changed: Dataset) => {
      await smallRun(specOf(given), { out: at(out), dataset: changed });
      return weightsOf(at(out));
    };
    const untold = [
      ...(groups.includes("train") ? [] : [["cues of training", 0, "cues"] as const]),
      ...(groups.includes("val") ? [] : [["cues of validation", 1, "cues"] as const]),
      ...(trainsOnVal ? [] : [["classes of validation", 1, "classes"] as const]),
      ["cues of test", 2, "cues"] as const,
      ["classes of test", 2, "classes"] as const,
    ];
    for (const [what, split, kind] of untold)
      expect(await trained(what.replaceAll(" ", "-"), relabelled(dataset, split, kind)), what).toBe(told);
    if (groups.includes("train"))
      expect(await trained("cues-of-training", relabelled(dataset, 0, "cues"))).not.toBe(told);
  });
});

/** A stage and perhaps its outputs are stored, and the checkpoint does not know yet. */
function storedOnly(moments: Map<string, string>, at: (...names: string[]) => string): void {
  const entries = [...moments];
  const next = entries.findIndex(([what]) => what.startsWith("stage 2: "));
  if (next < 1) return;
  const [[, before], [, after]] = [entries[next - 1]!, entries[next]!];
  for (const outputs of ["stored", "lost"]) {
    const folder = at(`outputs-${outputs}`);
    cpSync(before, folder, { recursive: true });
    cpSync(stagesOf(after), stagesOf(folder), { recursive: true });
    if (outputs === "lost")
      for (const file of readdirSync(stagesOf(folder)))
        if (file.split(".").length === 3) rmSync(join(stagesOf(folder), file));
    moments.set(`outputs of the first stage ${outputs}`, folder);
  }
}
