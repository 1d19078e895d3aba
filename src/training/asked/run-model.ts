/** Models of ours that can be asked: of a finished run, or a network by name with a file of weights. */

import { basename } from "node:path";
import type { Dataset, ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { digestOf } from "../../disk/vouched.ts";
import { decodeModel } from "../../engine/onnx/decode-model.ts";
import { State } from "../../engine/state.ts";
import { exportNetwork } from "../../models/export.ts";
import { models } from "../../models/index.ts";
import type { ModelOptions } from "../../models/model.ts";
import { OnnxNetwork } from "../../models/onnx/network.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import { takeWeights } from "../../models/weights/take-weights.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import { finishedFile } from "../../runs/finished-file.ts";
import { predictionsOrigin, runFiles } from "../../runs/run-folder.ts";
import { listSafetensors } from "../../runs/safetensors.ts";
import type { RunSpec } from "../run-spec.ts";
import { describeWeights, readWeights } from "../weights.ts";
import { aboutOf, isLastLayer } from "../weights-about.ts";
import type { AskedModel } from "./asked-model.ts";
import { openOnnxSession } from "./onnx-session.ts";
import { bytesAsTheyAre } from "./preparation.ts";

/** Of a finished run: the model that it exported, heads and all. */
export async function modelOfRun(folder: string, file: string = runFiles.model): Promise<AskedModel> {
  const [path, weights, specText] = await Promise.all([
    finishedFile(folder, file),
    finishedFile(folder, runFiles.weights),
    finishedFile(folder, runFiles.spec).then((found) => readPlain(found).then(String)),
  ]);
  const { id: _, ...spec } = JSON.parse(specText) as RunSpec & { id: string };
  const about = aboutOf((await listSafetensors(weights)).metadata, weights)!;
  const { about: ofPredictions } = await openPredictions(await finishedFile(folder, runFiles.predictions));
  const name = `run ${basename(folder)}`;
  const run = { spec, origin: predictionsOrigin(spec), about: ofPredictions };
  const bytes = await readPlain(path);
  if (isLastLayer(about)) {
    const { classNames, features } = about;
    return {
      name,
      classNames,
      takes: { features },
      digest: digestOf(bytes),
      run,
      open: () => refuseFeatures(name),
    };
  }
  return { ...modelOfBytes(name, bytes, about.image), file: path, classNames: about.classNames, run };
}

/** Of an export of ours: it takes bytes as images are stored. */
export function modelOfBytes(
  name: string,
  bytes: Uint8Array,
  image: ImageShape,
): Pick<AskedModel, "name" | "takes" | "digest" | "open" | "network"> {
  const digest = digestOf(bytes);
  const input = { layout: "NHWC", kind: "bytes", batch: undefined } as const;
  const outputs = { numbers: "logits", alone: false } as const;
  const asked = {
    path: name,
    bytes,
    input,
    image,
    pixels: bytesAsTheyAre(image.channels),
    output: "logits",
    outputs,
  };
  return {
    name,
    takes: { image },
    digest,
    open: ({ threads = 1 } = {}) => openOnnxSession({ ...asked, threads }),
    network: async () => new OnnxNetwork(name, `sha256:${digest}`, decodeModel(bytes)),
  };
}

async function refuseFeatures(name: string): Promise<never> {
  throw new CuelabError({
    kind: "usage",
    what: `${name} takes features, not images`,
    todo: "name the run whose features it was trained on",
  });
}

export interface NetworkChoice {
  model: string;
  options: ModelOptions;
  weights: string;
  /** Instead of what goes with the weights. */
  pixels?: PixelStatistics | undefined;
}

/** Of a network of ours with a file of weights, for images of these classes. */
export async function modelOfNetwork(
  choice: NetworkChoice,
  { images, classNames }: Dataset,
): Promise<AskedModel> {
  const model = models.get(choice.model);
  const image = images.shape!;
  const described = await describeWeights(choice.weights);
  const file = await readWeights({ ...described, freshHead: false });
  const about = aboutOf((await listSafetensors(described.path)).metadata, described.path);
  const names = about?.classNames ?? classNames;
  const { options } = choice;
  const taken = takeWeights(model, { options, classes: names.length, image }, file, described.path);
  const state = new State();
  for (const [name, values] of taken) state.set(name, values);
  const pixels = choice.pixels ?? described.pixels;
  const bytes = exportNetwork(model, state, { classNames: names, image, options, pixels });
  const name = `${model.name} with ${basename(described.path)}`;
  return { ...modelOfBytes(name, bytes, image), classNames: about?.classNames };
}
