/** A compiled program: feeds and state go in, outputs come out, and the state moves on. */

import { CuelabError } from "../core/errors.ts";
import { findBlockSize } from "./blocked.ts";
import { checkFed, drawRandom, type RandomSource } from "./ops/sources.ts";
import { type Emitted, emitProgram, type Program } from "./program.ts";
import { type Data, RuntimeSession, type RuntimeValue, type SessionOptions, toValue } from "./runtime.ts";
import { sizeOf } from "./shapes.ts";
import { State } from "./state.ts";
import { type Tensor, topologicalOrder } from "./tensor.ts";
import { runsUncopied } from "./uncopied.ts";

export interface ExecutionOptions {
  state?: State;
  random?: RandomSource;
}

export interface CompileOptions extends SessionOptions {
  /** `standard` emits plain ONNX only; `fastest` also uses the runtime's blocked kernels where they pass a check. */
  kernels?: "standard" | "fastest";
}

export class Executable {
  readonly #emitted: Emitted;
  readonly #session: RuntimeSession;
  readonly #blockSize: number | undefined;

  private constructor(emitted: Emitted, session: RuntimeSession, blockSize?: number) {
    this.#emitted = emitted;
    this.#session = session;
    this.#blockSize = blockSize;
  }

  static async compile(program: Program, options: CompileOptions = {}): Promise<Executable> {
    const { kernels = "fastest", ...settings } = options;
    if (settings.device !== undefined && settings.device !== "cpu") {
      const emitted = emitProgram(program);
      const executable = new Executable(emitted, await RuntimeSession.open(emitted.model, settings));
      if (executable.device !== "cpu") return executable;
      // Only when auto ends at the processor do its own kernels apply; then the bytes are those of `cpu`.
      await executable.close();
    }
    const wanted = kernels === "fastest" && hasConvolutions(program);
    const blockSize = wanted ? await findBlockSize() : undefined;
    const uncopied = resultSize(program) > worthwhile && (await runsUncopied());
    const emitted = emitProgram(program, { blockSize, uncopied });
    const session = await RuntimeSession.open(emitted.model, { ...settings, device: "cpu" });
    return new Executable(emitted, session, blockSize);
  }

  get nodeCount(): number {
    return this.#emitted.nodeCount;
  }

  get device(): string {
    return this.#session.device;
  }

  /** What rounding depends on beside the threads: the device, and the block size of its convolutions. */
  get kernels(): string {
    return `${this.device}, ${this.#blockSize === undefined ? "standard" : `blocks of ${this.#blockSize}`}`;
  }

  /** Names of the state that a run reads or writes. */
  get stateNames(): string[] {
    return [...new Set([...this.#emitted.state.map(({ name }) => name), ...Object.keys(this.#emitted.next)])];
  }

  /** One run: reads `feeds` and the state, returns the outputs and moves the state on. */
  async run(
    feeds: Readonly<Record<string, Data>>,
    { state = new State(), random }: ExecutionOptions = {},
  ): Promise<Record<string, Data>> {
    const inputs: Record<string, RuntimeValue> = {};
    for (const { name, node } of this.#emitted.data) {
      inputs[name] = toValue(checkedData(node, name, feeds[name]), node.shape, node.dtype);
    }
    for (const { name, node } of this.#emitted.state) {
      inputs[name] = toValue(checkedData(node, name, state.get(name)), node.shape, "float");
    }
    for (const { name, node } of this.#emitted.random) {
      const numbers = drawRandom(node, random, new Float32Array(sizeOf(node.shape)));
      inputs[name] = toValue(numbers, node.shape, "float");
    }
    const targets: Record<string, RuntimeValue> = {};
    const outputs: Record<string, Data> = {};
    for (const [key, { name, node }] of Object.entries(this.#emitted.outputs)) {
      outputs[key] = new arrayTypes[node.dtype](sizeOf(node.shape));
      targets[name] = toValue(outputs[key], node.shape, node.dtype);
    }
    for (const [key, { name, node }] of Object.entries(this.#emitted.next)) {
      targets[name] = toValue(state.spare(key), node.shape, "float");
    }
    const run = () => this.#session.run(inputs, targets);
    const moved = Object.keys(this.#emitted.next);
    await (moved.length === 0 ? run() : state.move(moved, run));
    return outputs;
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}

const arrayTypes = { float: Float32Array, int: Int32Array, bool: Uint8Array, byte: Uint8Array } as const;

function checkedData(node: Tensor, name: string, data: Data | undefined): Data {
  const type = arrayTypes[node.dtype];
  if (!(data instanceof type)) {
    throw new CuelabError({
      kind: "failure",
      what: `input "${name}" has the wrong type`,
      expected: `a ${type.name} for ${node.toString()}`,
      got: data === undefined ? "nothing" : data.constructor.name,
    });
  }
  checkFed(name, node.shape, data.length);
  return data;
}

/** Numbers that a run hands over. Fewer are copied faster than the exception that spares the copies. */
const worthwhile = 4e3;

function resultSize({ outputs, next = {} }: Program): number {
  return [...Object.values(outputs), ...Object.values(next)].reduce(
    (total, { shape }) => total + sizeOf(shape),
    0,
  );
}

/** Without any there is nothing to block, and the check is spared. */
function hasConvolutions({ outputs, next = {} }: Program): boolean {
  return topologicalOrder([...Object.values(outputs), ...Object.values(next)]).some(
    ({ op }) => op.name === "conv2d",
  );
}
