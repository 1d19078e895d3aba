/** Collects the nodes and constants of one ONNX graph while expressions are written into it. */

import type { DType, Shape } from "../tensor.ts";
import type { AttributeValue, GraphNode, Initializer, ValueInfo } from "./protobuf.ts";

/** The operator set of ai.onnx that all emitted nodes follow. */
export const opset = 18;

export const onnxTypes = {
  float: "float",
  int: "int32",
  bool: "bool",
  byte: "uint8",
} as const satisfies Record<DType, string>;

export interface EmitterOptions {
  /** Channels that lie together in the runtime's own blocked kernels; without it only standard ops are emitted. */
  blockSize?: number | undefined;
}

export class Emitter {
  readonly blockSize: number | undefined;
  readonly nodes: GraphNode[] = [];
  readonly initializers: Initializer[] = [];
  readonly inputs: ValueInfo[] = [];
  readonly outputs: ValueInfo[] = [];
  readonly #once = new Map<string, unknown>();
  readonly #prefix: string;
  #count = 0;

  constructor({ blockSize }: EmitterOptions = {}, prefix = "") {
    this.blockSize = blockSize;
    this.#prefix = prefix;
  }

  /** An emitter for the body of a node, whose names are different from those around it. */
  child(): Emitter {
    return new Emitter({ blockSize: this.blockSize }, `${this.fresh("body")}/`);
  }

  /** One node with one result, whose name is returned. */
  node(operator: string, inputs: readonly string[], attributes: Record<string, AttributeValue> = {}): string {
    return this.nodeWithOutputs(operator, inputs, attributes, 1)[0]!;
  }

  nodeWithOutputs(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, AttributeValue>,
    outputCount: number,
    domain = "",
  ): string[] {
    const outputs = Array.from({ length: outputCount }, () => this.fresh(operator));
    this.nodes.push({ operator, inputs, outputs, attributes, domain });
    return outputs;
  }

  /** The same value under a name of the caller's choice. */
  rename(value: string, name: string): string {
    this.nodes.push({ operator: "Identity", inputs: [value], outputs: [name], attributes: {}, domain: "" });
    return name;
  }

  /** The value made for `key` the first time it was asked for. */
  once<Value>(key: string, make: () => Value): Value {
    if (!this.#once.has(key)) this.#once.set(key, make());
    return this.#once.get(key) as Value;
  }

  constant(data: ArrayLike<number>, shape: Shape, dtype: DType): string {
    return this.#initializer(onnxTypes[dtype], data, shape);
  }

  scalar(value: number): string {
    return this.constant([value], [], "float");
  }

  /** A list of integers as ONNX wants its shapes, axes and offsets. */
  integers(values: readonly number[]): string {
    return this.#initializer("int64", values, [values.length]);
  }

  #initializer(type: Initializer["type"], data: ArrayLike<number>, shape: Shape): string {
    const make = (): string => {
      const name = this.fresh("constant");
      this.initializers.push({ name, type, shape, data });
      return name;
    };
    if (data.length > 64) return make();
    return this.once(
      `${type} ${shape.join()} ${Array.from(data, (value) => (Object.is(value, -0) ? "-0" : value)).join()}`,
      make,
    );
  }

  /** A name that nothing else has. */
  fresh(hint: string): string {
    return `${this.#prefix}${hint}_${this.#count++}`;
  }
}
