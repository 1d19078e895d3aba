/** A run on stored features: the network is its last layer, and all else is as in every other run. */

import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { bindState } from "../engine/bind.ts";
import { input } from "../engine/expressions.ts";
import { emitProgram } from "../engine/program.ts";
import type { Weights } from "../methods/method.ts";
import { models } from "../models/index.ts";
import { type DescribedFeatures, openFeatures } from "../runs/feature-folder.ts";
import type { RunFolder } from "../runs/run-folder.ts";
import { encodeSafetensors } from "../runs/safetensors.ts";
import type { RunResults } from "./results.ts";
import type { RunResources, RunSpec } from "./run-spec.ts";
import { givenFeatures, mostFeatureBytes, storedFeatures } from "./stages/feature-source.ts";
import { openRun } from "./stages/open-run.ts";
import { predictionOf } from "./stages/run-network.ts";
import type { RunParts } from "./stages/run-parts.ts";
import { checkRun, type TrainingHooks, trainStages } from "./train.ts";
import { checkLabelled, checkTrainingImages } from "./training-data.ts";
import type { LayerAbout } from "./weights-about.ts";

/** The network of such a run: nothing but a linear layer. */
export const featureModel = "logistic-regression";

/** Undefined where the run was asked to stop. */
export async function trainOnFeatures(
  spec: RunSpec,
  resources: RunResources,
  folder: RunFolder,
  hooks: TrainingHooks,
): Promise<RunResults | undefined> {
  const most = resources.featureBytes ?? mostFeatureBytes;
  const set = await openFeatures(spec.data.path ?? "", { most });
  const { dataset, width } = set;
  const source = "rows" in set ? storedFeatures(set.rows, most) : givenFeatures(set.features, width, most);
  try {
    checkSame(spec, set);
    checkLabelled(dataset);
    checkTrainingImages(dataset);
    checkRun(spec, dataset);
    const classes = dataset.classNames.length;
    const { head } = models.get(spec.model.name);
    // The problem is convex, so where it begins decides nothing but the time it takes.
    const first = new Map([
      [`${head}.weight`, new Float32Array(classes * width)],
      [`${head}.bias`, new Float32Array(classes)],
    ]);
    const inputs = { kind: "features" as const, source };
    const { run, close } = await openRun({ spec, resources, folder, hooks, dataset, first, inputs });
    try {
      return await trainStages(run, {
        model: (values) => exportLayer(run, values, set),
        weights: (values) => encodeLayer(values, set, head),
      });
    } finally {
      await close();
    }
  } finally {
    await source.close();
  }
}

function checkSame({ data }: RunSpec, { identity }: DescribedFeatures): void {
  if (data.identity === identity) return;
  throw new CuelabError({
    kind: "input",
    what: "the features are not those that this run began with",
    where: data.path ?? "",
    expected: data.identity,
    got: identity,
  });
}

/** Input `features` [batch, width], output `logits`. */
function exportLayer(
  { network, data }: RunParts,
  weights: Weights,
  { dataset, width, source }: DescribedFeatures,
): Uint8Array {
  const { logits, shown } = predictionOf(network, data, input("features", [1, width]), "features");
  const outputs = { logits, ...shown };
  const bound = bindState(Object.values(outputs), (name) => lookUp(weights, name));
  const metadata = {
    model: "last layer",
    classNames: JSON.stringify(dataset.classNames),
    input: `features: float32 [batch, ${width}] of ${source.model}`,
    weights: source.weights ?? "random",
    trainedOn: source.data,
  };
  const named = Object.fromEntries(Object.keys(outputs).map((name, i) => [name, bound[i]!]));
  return emitProgram({ outputs: named }, { freeBatch: "batch", keepNames: true, metadata }).model;
}

/** Under the names that the head has in the network whose features these are. */
function encodeLayer(
  weights: Weights,
  { dataset, width, source }: DescribedFeatures,
  head: string,
): Uint8Array {
  const classes = dataset.classNames.length;
  const tensors = new Map(
    [...weights].map(([name, data]) => {
      if (name === `${head}.weight`) return [`${source.head}.weight`, { shape: [classes, width], data }];
      if (name === `${head}.bias`) return [`${source.head}.bias`, { shape: [classes], data }];
      return [name, { shape: [data.length], data }];
    }),
  );
  const { data: _, ...lastLayerOf } = source;
  const about = { lastLayerOf, features: width, classNames: [...dataset.classNames] } satisfies LayerAbout;
  return encodeSafetensors({ tensors, metadata: { format: "pt", cuelab: JSON.stringify(about) } });
}
