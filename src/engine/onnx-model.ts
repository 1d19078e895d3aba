/** An ONNX model that people bring: one input of images, and what it makes of them. */

import { readFile } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { halfToNumber, numberToHalf } from "../core/half-floats.ts";
import { type DescribedValue, RuntimeSession, toRuntime, toValue } from "./runtime.ts";

export interface OnnxModelOptions {
  /** The output that is wanted, where the model has one of this name; else its first. */
  output: string;
  threads?: number;
  /** Opened by its path, so that weights beside it are found, and run as fast as this processor can. */
  inferring?: boolean;
}

const imageTypes = ["uint8", "float32", "float16", "float64"] as const;

export class OnnxModel {
  readonly input: DescribedValue;
  readonly outputs: readonly DescribedValue[];
  readonly #output: string;
  readonly #session: RuntimeSession;
  readonly #path: string;

  private constructor(session: RuntimeSession, input: DescribedValue, output: string, path: string) {
    this.#session = session;
    this.input = input;
    this.outputs = session.outputs;
    this.#output = output;
    this.#path = path;
  }

  /** From a file, or from its bytes, for which `path` is a name to tell them by. */
  static async open(
    path: string,
    { output: wanted, threads = 1, inferring = false }: OnnxModelOptions,
    bytes?: Uint8Array,
  ): Promise<OnnxModel> {
    const fail = (what: string, expected: string, got: string, cause?: unknown) =>
      new CuelabError({ kind: "input", what, where: path, expected, got, ...(cause ? { cause } : {}) });
    const model = bytes ?? (inferring ? path : await readFile(path));
    const session = await RuntimeSession.open(model, { threads, inferring }).catch((cause: unknown) => {
      throw fail("cannot read the model", "an ONNX model", (cause as Error).message, cause);
    });
    const { inputs, outputs } = session;
    const [input] = inputs;
    if (inputs.length !== 1 || !imageTypes.some((type) => type === input!.type)) {
      await session.close();
      const got = inputs.map(({ name, type }) => `${name}: ${type}`).join(", ");
      throw fail("the model takes something else than images", `one input of ${imageTypes.join(", ")}`, got);
    }
    const output = outputs.find(({ name }) => name === wanted) ?? outputs[0]!;
    return new OnnxModel(session, input!, output.name, path);
  }

  /** A row of floats for each image. */
  async run(images: Uint8Array | Float32Array, shape: readonly number[]): Promise<Float32Array> {
    const { data, dims } = await this.#session
      .result({ [this.input.name]: this.#valueOf(images, shape) }, this.#output)
      .catch((cause: unknown) => {
        throw this.#refused((cause as Error).message, cause);
      });
    const floats = floatsOf(data);
    if (floats !== undefined && dims[0] === shape[0]) return floats;
    throw this.#refused(`${data.constructor.name} [${dims.join(", ")}] for ${shape[0]} images`);
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  #valueOf(images: Uint8Array | Float32Array, shape: readonly number[]) {
    if (images instanceof Uint8Array) return toValue(images, shape, "byte");
    if (this.input.type === "float16")
      return toRuntime("float16", Uint16Array.from(images, numberToHalf), shape);
    if (this.input.type === "float64") return toRuntime("float64", Float64Array.from(images), shape);
    return toValue(images, shape, "float");
  }

  #refused(got: string, cause?: unknown): CuelabError {
    return new CuelabError({
      kind: "input",
      what: `the model gives no ${this.#output} of these images`,
      where: this.#path,
      expected: `output ${this.#output}: floats, a row for each image`,
      got,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/** Of 16 bits the runtime gives their bits. */
function floatsOf(data: unknown): Float32Array | undefined {
  if (data instanceof Float32Array) return data;
  if (data instanceof Float64Array) return Float32Array.from(data);
  return data instanceof Uint16Array ? Float32Array.from(data, halfToNumber) : undefined;
}
