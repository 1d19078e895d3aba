/** A network that people bring as ONNX, as expressions: logits, features, a map for where it looks, and every named value. */

import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { input, reshape, type Shape, type Tensor, transpose } from "../../engine/expressions.ts";
import type { StoredGraph, StoredModel } from "../../engine/onnx/decode-model.ts";
import { formatShape, sameShape, sizeOf } from "../../engine/shapes.ts";
import { Layers } from "../layers.ts";
import { type FoundHead, findHead } from "./head.ts";
import { imageInput, type OnnxInput } from "./image-input.ts";
import { parameterNames } from "./parameter-names.ts";
import { readOnnxFile } from "./read-file.ts";
import { oldestOpset, oldOpset, requireReaders } from "./refuse.ts";
import { Trace, type TracedGraph } from "./trace.ts";
import { untied } from "./untied.ts";

export interface OnnxBuildOptions {
  layers?: Layers;
  /** Whether batch normalisation learns while training; else it uses the file's statistics. */
  trainBatchNorm?: boolean;
  /** The value that counts as features, by its name in the file; else the input of the last linear layer. */
  features?: string;
  /** Further values that are wanted, by their names in the file; `true` for all. */
  taps?: readonly string[] | true;
}

export interface OnnxExpressions {
  logits: Tensor;
  /** [batch, features]; undefined where the file has no linear layer at its end and none was named. */
  features: Tensor | undefined;
  /** The last map with places, which Grad-CAM weighs. */
  map: FeatureMap | undefined;
  /** Values by their names in the file. */
  tensors: ReadonlyMap<string, Tensor>;
  layers: Layers;
}

/** [batch, channels, rows, columns], or channels last. */
export interface FeatureMap {
  tensor: Tensor;
  layout: "NCHW" | "NHWC";
}

export class OnnxNetwork {
  readonly path: string;
  readonly digest: string;
  readonly input: OnnxInput;
  /** The first one: the graph's logits. */
  readonly output: string;
  readonly head: FoundHead | undefined;
  readonly opset: number;
  readonly metadata: ReadonlyMap<string, string>;
  readonly producer: string;
  readonly #traced: TracedGraph;

  constructor(path: string, digest: string, model: StoredModel) {
    const graph = untied(model.graph);
    this.path = path;
    this.digest = digest;
    this.metadata = model.metadata;
    this.producer = model.producer;
    this.opset = model.opsets.get("") ?? 0;
    this.input = imageInput(graph, path);
    this.output = graph.outputs[0]?.name ?? "";
    const names = parameterNames(graph);
    this.#traced = { graph, opset: this.opset, names, fixedBatch: this.input.batch };
    this.head = findHead(graph, this.output, names);
  }

  /** Images as floats [batch, channels, rows, columns], prepared as the network wants them. */
  build(images: Tensor, options: OnnxBuildOptions = {}): OnnxExpressions {
    const { layers = new Layers({ mode: "evaluate" }), features = this.head?.features } = options;
    const trace = this.#trace(images, layers, options, [this.output, ...(features ? [features] : [])]);
    const logits = trace.value(this.output);
    return {
      logits,
      features: this.#featuresOf(trace, options.features),
      map: this.#map(trace),
      tensors: trace.tensors,
      layers,
    };
  }

  /** What stands before the head alone: nothing that is the head's becomes a parameter. */
  features(images: Tensor, options: OnnxBuildOptions & { layers: Layers }): Tensor {
    const name = options.features ?? this.head?.features;
    if (name === undefined) throw this.#noHead();
    return this.#flat(this.#trace(images, options.layers, options, [name]).value(name), name);
  }

  #trace(images: Tensor, layers: Layers, options: OnnxBuildOptions, ends: readonly string[]): Trace {
    const { taps = [], trainBatchNorm: trainsBatchNorm = false } = options;
    const { graph } = this.#traced;
    const wanted = [...ends, ...(taps === true ? graph.nodes.flatMap(({ outputs }) => outputs) : taps)];
    const missing = wanted.find((name) => name !== "" && !makes(graph, name));
    if (missing !== undefined) throw this.#noValue(missing);
    // The same with one image more tells which lengths are the batch's.
    const probe = new Trace(this.#traced, {
      layers: new Layers({ mode: "evaluate" }),
      images: this.#asInput(input("images", images.shape.with(0, images.shape[0]! + 1))),
      trainsBatchNorm,
    });
    probe.run(wanted);
    const otherBatch: readonly Shape[] = probe.asked;
    const given = this.#asInput(images);
    const trace = new Trace(this.#traced, { layers, images: given, trainsBatchNorm, otherBatch });
    trace.run(wanted);
    return trace;
  }

  #asInput(images: Tensor): Tensor {
    return this.input.layout === "NCHW" ? images : transpose(images, [0, 2, 3, 1]);
  }

  /** As they were asked for; those that a last layer takes only where it takes one row of them an image. */
  #featuresOf(trace: Trace, asked: string | undefined): Tensor | undefined {
    if (asked !== undefined) return this.#flat(trace.value(asked), asked);
    const found = this.head && trace.value(this.head.features);
    return found?.shape.length === 2 ? found : undefined;
  }

  /** [batch, n, 1, 1] is [batch, n]. */
  #flat(features: Tensor, name: string): Tensor {
    const [batch, width] = features.shape as [number, number];
    if (sizeOf(features.shape) === batch * width && features.dtype === "float")
      return reshape(features, [batch, width]);
    throw new CuelabError({
      kind: "usage",
      what: `"${name}" is no value that a linear layer can follow`,
      where: this.path,
      expected: "[batch, features]",
      got: formatShape(features.shape),
      todo: "name another one with --model-set features=<name>",
    });
  }

  /** What the last pooling over all places takes, or else what the last convolution gives. */
  #map(trace: Trace): FeatureMap | undefined {
    for (const { operator, inputs, outputs } of this.#traced.graph.nodes.toReversed()) {
      const [from, to] = [trace.tensors.get(inputs[0] ?? ""), trace.tensors.get(outputs[0] ?? "")];
      if (!pooling.test(operator) || from?.shape.length !== 4 || to === undefined) continue;
      // Normalising over channels is a mean, too, but leaves places.
      const [batch, second, rows, last] = from.shape as [number, number, number, number];
      const leaves = (...shapes: Shape[]) => shapes.some((shape) => sameShape(to.shape, shape));
      if (second > 1 && rows * last > 1 && leaves([batch, second], [batch, second, 1, 1]))
        return { tensor: from, layout: "NCHW" };
      if (last > 1 && second * rows > 1 && leaves([batch, last], [batch, 1, 1, last]))
        return { tensor: from, layout: "NHWC" };
    }
    const convolved = this.#traced.graph.nodes.findLast(({ operator, outputs }) => {
      const [rows = 1, columns = 1] = trace.tensors.get(outputs[0]!)?.shape.slice(2) ?? [];
      return operator === "Conv" && rows * columns > 1;
    });
    const tensor = convolved && trace.tensors.get(convolved.outputs[0]!);
    return tensor && { tensor, layout: "NCHW" };
  }

  #noValue(name: string): CuelabError {
    const names = this.#traced.graph.nodes.flatMap(({ outputs }) => outputs).filter((each) => each !== "");
    return new CuelabError({
      kind: "usage",
      what: `the network has no value "${name}"`,
      where: this.path,
      expected: `one of ${names.length} values, of which the last are: ${names.slice(-8).join(", ")}`,
      ...didYouMean(name, names),
    });
  }

  #noHead(): CuelabError {
    const last = this.#traced.graph.nodes
      .slice(-5)
      .map(({ operator, outputs }) => `${outputs[0]} (${operator})`);
    return new CuelabError({
      kind: "usage",
      what: "the network does not end in a linear layer",
      where: this.path,
      got: `the last values are ${last.join(", ")}`,
      todo: "name the value that a new last layer shall take: --model-set features=<name>",
    });
  }
}

/** `change` is what somebody puts before or behind it. */
export async function readOnnxNetwork(
  path: string,
  change: (model: StoredModel) => StoredModel = (model) => model,
): Promise<OnnxNetwork> {
  const { model: stored, digest } = await readOnnxFile(path);
  const model = change(stored);
  const opset = model.opsets.get("");
  if (opset === undefined || opset < oldestOpset) throw oldOpset(opset, path);
  requireReaders(model.graph.nodes, opset, path);
  return new OnnxNetwork(path, digest, model);
}

/** Operators that may leave one number of each channel. */
const pooling = /^(GlobalAveragePool|GlobalMaxPool|ReduceMean|ReduceMax|AveragePool)$/;

function makes({ nodes, initialisers, inputs }: StoredGraph, name: string): boolean {
  return (
    nodes.some(({ outputs }) => outputs.includes(name)) ||
    initialisers.has(name) ||
    inputs.some((each) => each.name === name)
  );
}
