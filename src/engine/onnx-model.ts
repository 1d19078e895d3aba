/** An ONNX model that people bring: one input of images, and what it makes of them. */

import { readFile } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { floatsOf, type GivenTensor, runtimeValue } from "./onnx-graph.ts";
import { type DescribedValue, RuntimeSession, type RuntimeValue } from "./runtime.ts";

export interface OnnxModelOptions {
  /** The output that is wanted, where the model has one of this name; else its first. */
  output: string;
  threads?: number;
  /** Opened by its path, so that weights beside it are found, and run as fast as this processor can. */
  inferring?: boolean;
  /** Whether an output with more than one axis for an image is refused: then it is no classifier's. */
  wantsRows?: boolean;
  /** What it takes besides, for so many images. */
  beside?: ((images: number) => Readonly<Record<string, GivenTensor>>) | undefined;
}

const imageTypes = ["uint8", "float32", "float16", "float64"] as const;

export class OnnxModel {
  readonly input: DescribedValue;
  readonly outputs: readonly DescribedValue[];
  readonly #output: string;
  readonly #session: RuntimeSession;
  readonly #path: string;
  readonly #wantsRows: boolean;
  readonly #beside: NonNullable<OnnxModelOptions["beside"]>;

  private constructor(
    session: RuntimeSession,
    input: DescribedValue,
    {
      output,
      path,
      beside,
      wantsRows,
    }: {
      output: string;
      path: string;
      beside: NonNullable<OnnxModelOptions["beside"]>;
      wantsRows: boolean;
    },
  ) {
    this.#session = session;
    this.input = input;
    this.outputs = session.outputs;
    this.#output = output;
    this.#path = path;
    this.#beside = beside;
    this.#wantsRows = wantsRows;
  }

  /** From a file, or from its bytes, for which `path` is a name to tell them by. */
  static async open(
    path: string,
    {
      output: wanted,
      threads = 1,
      inferring = false,
      wantsRows = false,
      beside = () => ({}),
    }: OnnxModelOptions,
    bytes?: Uint8Array,
  ): Promise<OnnxModel> {
    const fail = (what: string, expected: string, got: string, cause?: unknown) =>
      new CuelabError({ kind: "input", what, where: path, expected, got, ...(cause ? { cause } : {}) });
    const model = bytes ?? (inferring ? path : await readFile(path));
    const session = await RuntimeSession.open(model, { threads, inferring }).catch((cause: unknown) => {
      throw fail("cannot read the model", "an ONNX model", (cause as Error).message, cause);
    });
    const { outputs } = session;
    const others = Object.keys(beside(1));
    const inputs = session.inputs.filter(({ name }) => !others.includes(name));
    const [input] = inputs;
    if (inputs.length !== 1 || !imageTypes.some((type) => type === input!.type)) {
      await session.close();
      const got = inputs.map(({ name, type }) => `${name}: ${type}`).join(", ");
      throw fail("the model takes something else than images", `one input of ${imageTypes.join(", ")}`, got);
    }
    const output = outputs.find(({ name }) => name === wanted) ?? outputs[0];
    if (output === undefined) {
      await session.close();
      throw fail("the model gives nothing", "an output", "a graph without outputs");
    }
    return new OnnxModel(session, input!, { output: output.name, path, beside, wantsRows });
  }

  /** A row of floats for each image. */
  async run(images: Uint8Array | Float32Array, shape: readonly number[]): Promise<Float32Array> {
    const { data, dims } = await this.#session
      .result({ ...this.#besideOf(shape[0]!), [this.input.name]: this.#valueOf(images, shape) }, this.#output)
      .catch((cause: unknown) => {
        throw this.#refused((cause as Error).message, cause);
      });
    const floats = floatsOf(data);
    // Of one image some files leave the batch's axis away.
    const isRow = dims.length === 1 && shape[0] === 1;
    if (floats !== undefined && (isRow || dims[0] === shape[0])) {
      if (this.#wantsRows && dims.slice(1).filter((length) => length > 1).length > 1)
        throw this.#refusedMap(dims);
      return floats;
    }
    throw this.#refused(`${data.constructor.name} [${dims.join(", ")}] for ${shape[0]} images`);
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  #besideOf(images: number): Record<string, RuntimeValue> {
    const given = Object.entries(this.#beside(images));
    return Object.fromEntries(given.map(([name, tensor]) => [name, runtimeValue(tensor)]));
  }

  #valueOf(images: Uint8Array | Float32Array, shape: readonly number[]): RuntimeValue {
    const type = images instanceof Uint8Array ? "uint8" : this.input.type;
    return runtimeValue({ type, data: images, shape });
  }

  #refusedMap(dims: readonly number[]): CuelabError {
    return mapInsteadOfRow(this.#output, dims, this.#path);
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

/** What a segmenter gives. */
export function mapInsteadOfRow(
  output: string,
  dims: readonly (number | string)[],
  where: string,
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `output "${output}" is a map of each image and no row of numbers`,
    where,
    expected: "a number for each class: [batch, classes]",
    got: `[${dims.join(", ")}]`,
    todo: "of several outputs name another with --output; a network that finds objects is one for --segmenter",
  });
}
