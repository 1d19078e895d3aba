/** An ONNX model that people bring: one input of images, and what it makes of them. */

import { readFile } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { type DescribedValue, RuntimeSession, toValue } from "./runtime.ts";

export interface OnnxModelOptions {
  /** The output that is wanted, where the model has one of this name; else its first. */
  output: string;
  threads?: number;
}

export class OnnxModel {
  readonly input: DescribedValue;
  readonly #output: string;
  readonly #session: RuntimeSession;
  readonly #path: string;

  private constructor(session: RuntimeSession, input: DescribedValue, output: string, path: string) {
    this.#session = session;
    this.input = input;
    this.#output = output;
    this.#path = path;
  }

  /** From a file, or from its bytes, for which `path` is a name to tell them by. */
  static async open(
    path: string,
    { output: wanted, threads = 1 }: OnnxModelOptions,
    bytes?: Uint8Array,
  ): Promise<OnnxModel> {
    const fail = (what: string, expected: string, got: string, cause?: unknown) =>
      new CuelabError({ kind: "input", what, where: path, expected, got, ...(cause ? { cause } : {}) });
    const session = await RuntimeSession.open(bytes ?? (await readFile(path)), { threads }).catch(
      (cause: unknown) => {
        throw fail("cannot read the model", "an ONNX model", (cause as Error).message, cause);
      },
    );
    const { inputs, outputs } = session;
    const [input] = inputs;
    if (inputs.length !== 1 || (input!.type !== "uint8" && input!.type !== "float32")) {
      await session.close();
      const got = inputs.map(({ name, type }) => `${name}: ${type}`).join(", ");
      throw fail("the model takes something else than images", "one input of uint8 or float32", got);
    }
    const output = outputs.find(({ name }) => name === wanted) ?? outputs[0]!;
    return new OnnxModel(session, input!, output.name, path);
  }

  /** A row of floats for each image. */
  async run(images: Uint8Array | Float32Array, shape: readonly number[]): Promise<Float32Array> {
    const value = toValue(images, shape, images instanceof Uint8Array ? "byte" : "float");
    const { data, dims } = await this.#session
      .result({ [this.input.name]: value }, this.#output)
      .catch((cause: unknown) => {
        throw this.#refused((cause as Error).message, cause);
      });
    if (data instanceof Float32Array && dims[0] === shape[0]) return data;
    throw this.#refused(`${data.constructor.name} [${dims.join(", ")}] for ${shape[0]} images`);
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  #refused(got: string, cause?: unknown): CuelabError {
    return new CuelabError({
      kind: "input",
      what: `the model gives no ${this.#output} of these images`,
      where: this.#path,
      expected: `output ${this.#output}: float32, a row for each image`,
      got,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}
