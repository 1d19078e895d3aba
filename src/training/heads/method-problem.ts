/**
 * Methods whose loss is a sum over images, as problems that many heads are solved in at once: the method's own file is asked how
 * much each image counts. Its loss is written over placeholders, and what it is by their losses is its weight of each.
 */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { Executable } from "../../engine/executable.ts";
import { grad, input, type Tensor } from "../../engine/expressions.ts";
import { State } from "../../engine/state.ts";
import { methods } from "../../methods/index.ts";
import type { Batch, Own } from "../../methods/method.ts";
import type { RunSpec } from "../run-spec.ts";
import { MethodData } from "../stages/method-data.ts";
import { isMethodState, MethodState } from "../stages/method-state.ts";
import { overFeatures } from "../stages/run-network.ts";
import { StageBatch } from "../stages/stage-batch.ts";
import { planStage } from "../stages/stage-plan.ts";

/** How much each training image counts for a method; `total` is what the counts of its own mean loss sum to. */
export interface MethodWeights {
  /** By place among the training images. */
  weights: Float32Array;
  total: number;
}

export async function methodWeights(spec: RunSpec, dataset: Dataset): Promise<MethodWeights> {
  const method = methods.get(spec.method.name);
  const data = new MethodData(method, spec, dataset);
  const fail = (why: string) =>
    new CuelabError({
      kind: "usage",
      what: `method "${method.name}" is no sum over images that many heads could be solved in at once: ${why}`,
      expected: "such as erm, group-upweighting or subg",
      todo: "train its heads one by one with 'cuelab features train'",
    });
  const stages = method.stages(data.known(1));
  const { value: stage, done } = stages.next();
  if (done || stage === undefined) throw fail("it has no stage");
  if (
    stage.length !== undefined ||
    stage.solve !== undefined ||
    (stage.sampling ?? "shuffled") !== "shuffled"
  )
    throw fail("its first stage has a length, a problem or a sampling of its own");
  const plan = planStage({ ...stage, batch: "full" }, spec, data, { index: 0, features: true });
  const features = input("features", [plan.count, 1]);
  const views = () => {
    throw fail("it looks at views of images");
  };
  const real = new StageBatch({
    stage,
    plan,
    data,
    inputs: { inputs: () => features, view: views },
    seed: spec.seed,
    mixes: false,
    prefix: "",
  });
  const logits = input("logits", [plan.count, data.known(1).classes]);
  const losses = input("losses", [plan.count]);
  const batch: Batch = {
    size: real.size,
    inputs: features,
    view: views,
    code: views,
    share: views,
    get labels() {
      return real.labels;
    },
    get indices() {
      return real.indices;
    },
    get groups() {
      return real.groups;
    },
    get bias() {
      return real.bias;
    },
    column: real.column,
    environments: real.environments,
    losses: (of: Tensor, labels?: Tensor) => {
      if (of !== logits || labels !== undefined) throw fail("it takes losses of other logits or labels");
      return losses;
    },
  };
  const own = new Proxy({} as Own, {
    get: () => {
      throw fail("it trains more than the head");
    },
  });
  const state = new MethodState();
  const {
    loss,
    next = {},
    further = [],
  } = stage.build({
    network: overFeatures({ head: () => logits, prepared: (x) => x }),
    own,
    batch,
    other: () => {
      throw fail("it takes a second batch");
    },
    classes: data.known(1).classes,
    state: state.declare,
    random: () => {
      throw fail("it draws numbers at every step");
    },
  });
  const kept = new State();
  state.initialise(kept);
  if (further.length > 0 || Object.keys(next).length > 0 || kept.names.some(isMethodState))
    throw fail("it keeps numbers from step to step");
  if (!stages.next({ weights: new Map(), parameter: views, outputs: [] }).done)
    throw fail("it has several stages");
  const [slopes] = grad(loss, [losses]) as [Tensor];
  const executable = await Executable.compile({ outputs: { loss, slopes } }, { threads: 1 });
  try {
    const places = real.sampler(0)(0);
    const fed = real.feeds(places) as Record<string, Float32Array>;
    const random = randomStream(0, "method-problem").at(0);
    const drawn = () => Float32Array.from({ length: plan.count }, () => random.uniform());
    const beside = { ...fed, logits: new Float32Array(plan.count * data.known(1).classes) };
    const [one, other] = [drawn(), drawn()];
    const at = (values: Float32Array) =>
      executable.run({ ...beside, losses: values }) as Promise<Record<string, Float32Array>>;
    const first = await at(one).catch(() => {
      throw fail("it reads more than losses");
    });
    const found = Float32Array.from(first.slopes!);
    const again = (await at(other)).slopes!;
    let sum = 0;
    for (const [i, value] of found.entries()) sum += value * one[i]!;
    const isSum =
      found.every((value, i) => Math.abs(value - again[i]!) <= 1e-6 * Math.abs(value)) &&
      Math.abs(sum - first.loss![0]!) <= 1e-4 * Math.abs(sum);
    if (!isSum) throw fail("its loss is no sum of the images' losses, each as often");
    const weights = new Float32Array(data.rows("train").length);
    for (const [i, place] of places.entries()) weights[place]! += found[i]!;
    return { weights, total: weights.reduce((a, b) => a + b, 0) };
  } finally {
    await executable.close();
  }
}
