/** A run on stored features: the network is its last layer, and all else is as in every other run. */

import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { bindState } from "../engine/bind.ts";
import { input } from "../engine/expressions.ts";
import { emitProgram } from "../engine/program.ts";
import type { Weights } from "../methods/method.ts";
import { models } from "../models/index.ts";
import { type DescribedFeatures, openFeatures, readFeatureHead } from "../runs/feature-folder.ts";
import { noSuchView, type OpenedView, openView } from "../runs/feature-views.ts";
import { chainKey, type OwnHead } from "../runs/feature-writer.ts";
import type { RunFolder } from "../runs/run-folder.ts";
import { encodeSafetensors } from "../runs/safetensors.ts";
import type { ResolvedUse } from "../views/view.ts";
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
  const views = new OpenedViews(spec.data.path ?? "", set, most);
  const brought = { most, view: (chain: readonly ResolvedUse[]) => views.of(chain) };
  const source =
    "rows" in set ? storedFeatures(set.rows, brought) : givenFeatures(set.features, width, brought);
  try {
    checkSame(spec, set);
    checkLabelled(dataset);
    checkTrainingImages(dataset);
    checkRun(spec, dataset);
    const classes = dataset.classNames.length;
    const { head } = models.get(spec.model.name);
    const own = spec.lastLayer?.fromHead ? await ownHeadOf(spec, set) : undefined;
    // Otherwise where it begins decides little but the time it takes: the problem is mostly convex.
    const first = new Map([
      [`${head}.weight`, own?.weight ?? new Float32Array(classes * width)],
      [`${head}.bias`, own?.bias ?? new Float32Array(classes)],
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
    await views.close();
    await source.close();
  }
}

async function ownHeadOf({ data: { path = "" } }: RunSpec, set: DescribedFeatures): Promise<OwnHead> {
  const own = await readFeatureHead(path, set);
  if (own !== undefined) return own;
  throw new CuelabError({
    kind: "input",
    what: "these features come without a last layer of their network",
    where: path,
    expected: "head.safetensors, for the classes that the labels number",
    todo: "leave --from-head away; or extract them from a network whose classes are the data's (--classes names those of an ONNX file)",
  });
}

/** Views of the folder, each opened once. */
class OpenedViews {
  readonly #path: string;
  readonly #set: DescribedFeatures;
  readonly #most: number;
  readonly #opened = new Map<string, Promise<OpenedView>>();

  constructor(path: string, set: DescribedFeatures, most: number) {
    this.#path = path;
    this.#set = set;
    this.#most = most;
  }

  of(chain: readonly ResolvedUse[]): Promise<OpenedView> {
    const key = chainKey(chain);
    const { views, width, type, dataset } = this.#set;
    const about = views.find((view) => chainKey(view.chain) === key);
    if (about === undefined) throw noSuchView(chainWords(chain), views, this.#path);
    const { count } = dataset.images;
    const opened =
      this.#opened.get(key) ?? openView(this.#path, about, { width, type, count, most: this.#most });
    this.#opened.set(key, opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) {
      const { features } = await opened;
      if (!(features instanceof Float32Array)) await features.close();
    }
  }
}

/** As `--views` has it, and the settings that it was to have. */
function chainWords(chain: readonly ResolvedUse[]): string {
  const settings = chain.flatMap(({ view, with: given }) =>
    Object.entries(given).map(
      ([key, value]) => `${view}.${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  );
  const words = chain.map(({ view }) => view).join("+");
  return settings.length === 0 ? words : `${words} with ${settings.join(", ")}`;
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
