/** What methods of several stages ask for, driven by hand: which images, how often, and what they say of hard cases. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { smallRun } from "../../src/contracts/small-run.ts";
import type { Dataset } from "../../src/core/dataset.ts";
import { randomStream } from "../../src/core/random.ts";
import { parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import type { Known, Made, Method, Stage } from "../../src/methods/index.ts";
import { methods, supervisionOf } from "../../src/methods/index.ts";
import type { RunSpecInput } from "../../src/training/run-spec.ts";
import { fingerprint, temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();

/** What a method is told of images with these labels and groups. */
function known(
  method: Method,
  settings: Record<string, unknown>,
  { labels, codes }: { labels: Int32Array; codes?: Int32Array },
): Known<Record<string, unknown>> {
  const sizes: number[] = [];
  for (const code of codes ?? []) sizes[code] = (sizes[code] ?? 0) + 1;
  const numbered = { codes: codes ?? new Int32Array(0), sizes };
  return {
    config: method.settings.parse(settings),
    classes: 2,
    epochs: 3,
    labels: () => labels,
    groups: () => numbered,
    bias: () => numbered,
    random: (purpose) => randomStream(0, purpose).at(0),
  };
}

/** A stage that says of each image that it is of these classes. */
function saying(classes: Int32Array): Made {
  const logits = Float32Array.from([...classes].flatMap((label) => (label === 0 ? [1, 0] : [0, 1])));
  const none = new Float32Array(0);
  return { weights: new Map(), parameter: () => none, outputs: [{ logits, features: none, losses: none }] };
}

const placesOf = ({ from }: Stage) => [...(from as { places: Uint32Array }).places];

/** UrbanCars' training images: 3610, 190, 190 and 10 of each class. */
function urbanCarsCodes(cells: readonly number[]): { labels: Int32Array; codes: Int32Array } {
  const codes = [0, 1].flatMap((label) =>
    cells.flatMap((count, cell) => Array.from({ length: count }, () => label * cells.length + cell)),
  );
  return {
    codes: Int32Array.from(codes),
    labels: Int32Array.from(codes, (code) => Math.floor(code / cells.length)),
  };
}

describe("jtt", () => {
  const jtt = methods.get("jtt");
  const labels = Int32Array.of(0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);

  test("errors of the first network are seen as often as they count, all else once, from the first weights on", () => {
    const stages = jtt.stages(known(jtt, { epochs: 2, upweight: 4 }, { labels }));
    const first = stages.next().value as Stage;
    expect(first).toMatchObject({ name: "identify", length: { epochs: 2 }, selected: false });
    const said = labels.map((label, i) => (i === 3 || i === 8 ? 1 - label : label));
    const second = stages.next(saying(said)).value as Stage;
    const expected = [...labels.keys()].flatMap((i) => (i === 3 || i === 8 ? [i, i, i, i] : [i]));
    expect(placesOf(second)).toEqual(expected);
    expect(second).toMatchObject({ name: "retrain", begin: "fresh" });
    expect([...second.reports!.upweighted!].flatMap((marked, i) => (marked ? [i] : []))).toEqual([3, 8]);
    expect(second.notes).toEqual([expect.stringMatching(/^2 of 20 training images .* count 4 times$/)]);
    expect(stages.next(saying(said)).done).toBe(true);
  });

  test("no errors are an error that says what to do, and a first network at chance is told", () => {
    const begun = () => {
      const stages = jtt.stages(known(jtt, {}, { labels }));
      stages.next();
      return stages;
    };
    expect(() => begun().next(saying(labels))).toThrow(
      /nothing to count more[\s\S]*no error among 20[\s\S]*epochs=1/,
    );
    const { notes } = begun().next(saying(labels.map((label, i) => (i % 2 ? label : 1)))).value as Stage;
    expect(notes!.at(-1)).toMatch(/tells 5\d\.0% of these images right.*it is at chance/);
  });
});

describe("subg", () => {
  const subg = methods.get("subg");
  const stageOf = (data: { labels: Int32Array; codes: Int32Array }) =>
    subg.stages(known(subg, {}, data)).next().value as Stage;

  test("UrbanCars has 8 × 10 = 80 images told both cues, and 4 × 200 = 800 told one", () => {
    for (const [cells, each, all] of [
      [[3610, 190, 190, 10], 10, 80],
      [[3800, 200], 200, 800],
    ] as const) {
      const data = urbanCarsCodes(cells);
      const places = placesOf(stageOf(data));
      expect(new Set(places).size).toBe(all);
      for (let code = 0; code < 2 * cells.length; code++)
        expect(places.filter((place) => data.codes[place] === code)).toHaveLength(each);
      expect(placesOf(stageOf(data))).toEqual(places);
    }
  });

  test.each([
    [1, "the smallest group has one image: all that is learnt of it"],
    [3, "the smallest group has 3 images: all that is learnt of it"],
  ])("a group of %i is told", (least, message) => {
    const { notes } = stageOf(urbanCarsCodes([50, least]));
    expect(notes).toEqual([
      `${4 * least} of ${2 * (50 + least)} training images are used: ${least} of each of 4 groups`,
      message,
    ]);
  });
});

describe("dfr", () => {
  const dfr = methods.get("dfr");
  const data = urbanCarsCodes([50, 6]);

  test("is told of training or of validation, as it is set", () => {
    expect(supervisionOf(dfr, {})).toEqual({ groups: ["train"] });
    expect(supervisionOf(dfr, { on: "val" })).toEqual({ groups: ["val"], trainsOnVal: true });
  });

  test("C is chosen by held-out images of every group, of which none is fitted to", () => {
    const stages = dfr.stages(known(dfr, { strengths: [0.1, 1], refits: 3 }, data));
    stages.next();
    const tuned = [stages.next(saying(data.labels)).value as Stage];
    expect(tuned[0]).toMatchObject({ name: "tune/1", solve: { l1: 1, over: "sum" }, inputs: "features" });
    const { places: heldOut } = tuned[0]!.wants![0]!.of as { places: Uint32Array };
    expect(placesOf(tuned[0]!).filter((place) => heldOut.includes(place))).toEqual([]);
    expect(placesOf(tuned[0]!)).toHaveLength(4 * 3);
    expect(heldOut).toHaveLength(2 * 25 + 2 * 3);
    const truth = Int32Array.from(heldOut, (place) => data.labels[place]!);
    tuned.push(stages.next(saying(truth.map(() => 0))).value as Stage);
    expect(tuned[1]).toMatchObject({ name: "tune/0.1", solve: { l1: 10, over: "sum" } });
    const fit = stages.next(saying(truth)).value as Stage;
    expect(fit).toMatchObject({ name: "fit/1", solve: { l1: 10, over: "sum" }, standardise: "train" });
    expect(placesOf(fit)).toHaveLength(4 * 6);
    expect(fit.notes!.at(-1)).toMatch(/^C = 0.1 tells the worst group of 56 held-out images best \(100.0%\)/);
    const other = stages.next(saying(truth)).value as Stage;
    expect(placesOf(other)).not.toEqual(placesOf(fit));
  });

  test("the mean of the fits is kept, and what none has changed is left as it is", () => {
    const stages = dfr.stages(known(dfr, { strengths: [1], refits: 2 }, data));
    const rest = Float32Array.of(7);
    const left = (...head: number[]): Made => ({
      ...saying(data.labels),
      weights: new Map([
        ["head.weight", Float32Array.from(head)],
        ["rest", rest],
      ]),
    });
    stages.next();
    stages.next(left(0, 0));
    stages.next(left(1, 3));
    const { value, done } = stages.next(left(2, 0));
    expect(done).toBe(true);
    expect([...(value as ReadonlyMap<string, Float32Array>)]).toEqual([
      ["head.weight", Float32Array.of(1.5, 1.5)],
    ]);
  });

  test("a group that cannot be halved, and a penalty that would diverge, are told before anything is trained", () => {
    const begun = (settings: Record<string, unknown>, cells: number[]) => () =>
      dfr.stages(known(dfr, settings, urbanCarsCodes(cells))).next();
    expect(begun({}, [20, 1])).toThrow(/cannot choose among 7 values of C[\s\S]*strengths=0.1/);
    expect(begun({ strengths: [1] }, [20, 1])).not.toThrow();
    expect(begun({ form: "sgd" }, [20, 10])).toThrow(/would diverge[\s\S]*1 × 100 \/ 40 = 2.5/);
    expect(begun({ form: "sgd" }, [20, 20])).not.toThrow();
  });
});

describe("last-layer-ensemble", () => {
  const ensemble = methods.get("last-layer-ensemble");

  test("is handed the pictures that its views need, and no others", () => {
    expect(supervisionOf(ensemble, {})).toEqual({ sides: ["mask", "co_occur_obj_mask", "bg_only"] });
    expect(supervisionOf(ensemble, { views: ["watermark"] })).toEqual({});
  });

  test.each([
    [{ consistency: "js" }, /consistency is of a single head/],
    [{ ensemble: false, shift: false }, /shift has no effect without an ensemble/],
  ])("%j is a switch without effect", (settings, message) => {
    const told = known(ensemble, settings, { labels: Int32Array.of(0, 1) });
    expect(() => ensemble.stages(told).next()).toThrow(message);
  });
});

describe("stages that several runs share", () => {
  const words = (settings: Record<string, unknown>): RunSpecInput => ({
    data: { name: "colored-mnist", identity: "test" },
    model: { name: "mlp", options: { width: 8 } },
    method: { name: "dfr", settings: { strengths: [1], ...settings }, explicit: ["color"] },
    epochs: 2,
    batchSize: 32,
    threads: 1,
  });

  async function data(): Promise<Dataset> {
    const definition = datasets.get("colored-mnist");
    return definition.build(parseAssignments(definition.settings, [...definition.small, "size=14"]), 0);
  }

  test("are trained once, and end with the bytes of runs that share nothing", async () => {
    const dataset = await data();
    const stages = join(root, "stages");
    const phases: string[] = [];
    const run = (out: string, refits: number, shared: boolean) =>
      smallRun(words({ refits }), {
        out: join(root, out),
        dataset,
        hooks: { onPhase: (phase) => phases.push(phase) },
        ...(shared && { stages }),
      });
    await run("first", 2, true);
    const kept = readdirSync(stages).length;
    phases.length = 0;
    await run("second", 3, true);
    const found = phases.filter((phase) => phase.endsWith("as another run has left it"));
    expect(found).toEqual([
      "stage 1: train, as another run has left it",
      "stage 2: fit/1, as another run has left it",
    ]);
    expect(readdirSync(stages).length).toBe(kept + 1);
    await run("alone", 3, false);
    expect(fingerprint(join(root, "second"))).toEqual(fingerprint(join(root, "alone")));
  });

  test("a whole run of one stage is one that a method of several begins with, and the other way round", async () => {
    const dataset = await data();
    const phases: string[] = [];
    const run = (out: string, spec: RunSpecInput, stages?: string) =>
      smallRun(spec, {
        out: join(root, "whole", out),
        dataset,
        hooks: { onPhase: (phase) => phases.push(phase) },
        ...(stages !== undefined && { stages: join(root, "whole", stages) }),
      });
    const [plain, several] = [{ ...words({}), method: { name: "erm" } }, words({ refits: 1 })];
    const found = () =>
      phases.splice(0).filter((phase) => phase === "stage 1: train, as another run has left it").length;
    await run("erm", plain, "one");
    expect(found()).toBe(0);
    await run("dfr", several, "one");
    expect(found()).toBe(1);
    await run("dfr-first", several, "two");
    await run("erm-second", plain, "two");
    expect(found()).toBe(1);
    await run("erm-alone", plain);
    await run("dfr-alone", several);
    const of = (out: string) => fingerprint(join(root, "whole", out));
    expect(of("dfr")).toEqual(of("dfr-alone"));
    for (const out of ["erm", "erm-second"]) expect(of(out)).toEqual(of("erm-alone"));
  });

  test("a run at a constant rate that is measured on the way leaves what shorter ones would have been", async () => {
    const dataset = await data();
    const inEpoch = Math.floor(dataset.splits.values.filter((split) => split === 0).length / 32);
    const phases: string[] = [];
    const run = (out: string, spec: RunSpecInput, stages?: string) =>
      smallRun(spec, {
        out: join(root, "shorter", out),
        dataset,
        hooks: { onPhase: (phase) => phases.push(phase) },
        ...(stages !== undefined && { stages: join(root, "shorter", stages) }),
      });
    const found = () =>
      phases.splice(0).filter((phase) => phase.startsWith("stage 1: train, as another")).length;
    const plain: RunSpecInput = { ...words({}), method: { name: "erm" }, epochs: 3 };
    const measureSteps = [inEpoch, 2 * inEpoch, 2 * inEpoch + 1];
    await run("three", { ...plain, measureSteps }, "constant");
    const several = (steps: number): RunSpecInput => ({ ...words({ refits: 1 }), epochs: undefined, steps });
    for (const epochs of [1, 2, 3]) {
      await run(`dfr-${epochs}`, several(epochs * inEpoch), "constant");
      expect(found(), `after ${epochs}`).toBe(1);
      await run(`dfr-${epochs}-alone`, several(epochs * inEpoch));
      const of = (out: string) => fingerprint(join(root, "shorter", out));
      expect(of(`dfr-${epochs}`)).toEqual(of(`dfr-${epochs}-alone`));
    }
    phases.length = 0;
    // Not within an epoch, and not where the rate falls towards the run's own end.
    await run("dfr-within", several(2 * inEpoch + 1), "constant");
    expect(found()).toBe(0);
    const cosine = { schedule: { name: "cosine" as const } };
    await run("falling", { ...plain, ...cosine, measureSteps }, "cosine");
    await run("dfr-falling", { ...several(inEpoch), ...cosine }, "cosine");
    expect(found()).toBe(0);
  });

  test("a method that trains on validation images is refused a choice by them before it begins", async () => {
    const chosen = smallRun(
      { ...words({ on: "val" }), select: { by: "val-accuracy" } },
      { out: join(root, "refused"), dataset: await data() },
    );
    await expect(chosen).rejects.toThrow(/trains on validation images, and an epoch is to be chosen by them/);
    expect(readdirSync(join(root, "refused"))).toEqual(["spec.json"]);
  });
});
