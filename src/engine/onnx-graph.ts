/** Anybody's ONNX graph, run with any inputs for any outputs: what models of images and texts, segmenters and detectors are asked by. */

import { CuelabError } from "../core/errors.ts";
import { halfToNumber, numberToHalf } from "../core/half-floats.ts";
import { type DescribedValue, RuntimeSession, type RuntimeValue, toRuntime, toValue } from "./runtime.ts";

/** Numbers for an input, whatever kind of numbers it takes. */
export interface GivenTensor {
  type: string;
  data: Float32Array | Int32Array | Uint8Array;
  shape: readonly number[];
}

export interface FoundTensor {
  dims: readonly number[];
  /** Whole numbers, too, as floats. */
  values: Float32Array;
}

export function runtimeValue({ type, data, shape }: GivenTensor): RuntimeValue {
  if (type === "float32")
    return toValue(data instanceof Float32Array ? data : Float32Array.from(data), shape, "float");
  if (type === "uint8")
    return toValue(data instanceof Uint8Array ? data : Uint8Array.from(data), shape, "byte");
  if (type === "bool") return toValue(Uint8Array.from(data), shape, "bool");
  if (type === "int32")
    return toValue(data instanceof Int32Array ? data : Int32Array.from(data), shape, "int");
  if (type === "int64") return toRuntime("int64", BigInt64Array.from(data as Int32Array, BigInt), shape);
  if (type === "float16") return toRuntime("float16", Uint16Array.from(data, numberToHalf), shape);
  return toRuntime("float64", Float64Array.from(data), shape);
}

export class OnnxGraph {
  readonly inputs: readonly DescribedValue[];
  readonly outputs: readonly DescribedValue[];
  readonly #session: RuntimeSession;
  readonly #path: string;

  private constructor(session: RuntimeSession, path: string) {
    this.#session = session;
    this.#path = path;
    this.inputs = session.inputs;
    this.outputs = session.outputs;
  }

  /** By its path, so that weights beside it are found. */
  static async open(
    path: string,
    { threads = 1 }: { threads?: number | undefined } = {},
  ): Promise<OnnxGraph> {
    try {
      return new OnnxGraph(await RuntimeSession.open(path, { threads, inferring: true }), path);
    } catch (cause) {
      const { message } = cause as Error;
      throw new CuelabError({
        kind: "input",
        what: "cannot read the model",
        where: path,
        expected: "an ONNX model",
        got: message,
        cause,
      });
    }
  }

  async run(
    feeds: Readonly<Record<string, GivenTensor>>,
    outputs: readonly string[],
  ): Promise<FoundTensor[]> {
    const values = Object.fromEntries(
      Object.entries(feeds).map(([name, given]) => [name, runtimeValue(given)]),
    );
    const found = await this.#session.results(values, outputs).catch((cause: unknown) => {
      throw this.#refused((cause as Error).message.split("\n")[0]!, cause);
    });
    return outputs.map((name) => {
      const { data, dims } = found[name]!;
      const numbers = numbersIn(data);
      if (numbers === undefined) throw this.#refused(`output "${name}" holds no numbers`);
      return { values: numbers, dims };
    });
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  #refused(got: string, cause?: unknown): CuelabError {
    return new CuelabError({
      kind: "input",
      what: "the network cannot be run with these inputs",
      where: this.#path,
      expected: `inputs ${this.inputs.map(({ name, type, shape }) => `${name}: ${type} [${shape.join(", ")}]`).join("; ")}`,
      got,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/** Of 16 bits the runtime gives their bits. */
export function floatsOf(data: unknown): Float32Array | undefined {
  if (data instanceof Float32Array) return data;
  if (data instanceof Float64Array) return Float32Array.from(data);
  return data instanceof Uint16Array ? Float32Array.from(data, halfToNumber) : undefined;
}

function numbersIn(data: unknown): Float32Array | undefined {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Float32Array.from(data, Number);
  if (
    data instanceof Uint8Array ||
    data instanceof Int8Array ||
    data instanceof Int32Array ||
    data instanceof Uint32Array
  )
    return Float32Array.from(data);
  return floatsOf(data);
}
