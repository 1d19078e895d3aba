/** The only file that asks onnxruntime: devices, sessions and the values that go in and out. */

import type { InferenceSession, Tensor } from "onnxruntime-common";
import { CuelabError } from "../core/errors.ts";
import { nativeRuntime, runtimeVersion } from "./native-runtime.ts";
import { isUndeliverable, undeliverable } from "./onnx/undeliverable.ts";
import { sameShape } from "./shapes.ts";
import { checkTelemetryDecided } from "./telemetry.ts";
import type { DType, Shape } from "./tensor.ts";

const devices = ["cpu", "cuda", "webgpu", "auto"] as const;
export type Device = (typeof devices)[number];

export interface SessionOptions {
  device?: Device;
  /** Threads of one session. Equal threads, equal bytes: another number cuts products into other blocks. */
  threads?: number;
  /** For a graph that is run and not trained: layouts may change to what this processor likes best. */
  inferring?: boolean;
}

export type Data = Float32Array | Int32Array | Uint8Array;
export type RuntimeValue = Tensor;

const runtimeTypes = { float: "float32", int: "int32", bool: "bool", byte: "uint8" } as const;
const values = new WeakMap<Data, RuntimeValue>();

/** A typed array as the runtime wants it, without copying; the same array gives the same value again. */
export function toValue(data: Data, shape: Shape, dtype: DType): RuntimeValue {
  const known = values.get(data);
  if (known?.type === runtimeTypes[dtype] && sameShape(known.dims, shape)) return known;
  const value = new (nativeRuntime().Tensor)(runtimeTypes[dtype], data as never, shape);
  values.set(data, value);
  return value;
}

/** Of types that our own graphs do not take: halves by their bits, wide floats and wide whole numbers. */
export function toRuntime(
  type: "float16" | "float64" | "int64",
  data: Uint16Array | Float64Array | BigInt64Array,
  shape: Shape,
): RuntimeValue {
  return new (nativeRuntime().Tensor)(type, data as never, shape);
}

/** An input or output of a model; free sizes are told by a name. */
export interface DescribedValue {
  name: string;
  type: string;
  shape: readonly (number | string)[];
}

const threading = {
  // Work is dealt out in shrinking pieces, so that a thread which another program delays is not waited for long.
  dynamic_block_base: "4",
  // An idle thread looks out for work this long, then sleeps. Threads that never sleep make a virtual machine slower:
  // for minutes at a time two of them did no more than one.
  intra_op: { spin_duration_us: "100" },
};

export class RuntimeSession {
  readonly device: Exclude<Device, "auto">;
  readonly #session: InferenceSession;
  readonly #uncopied: boolean;

  private constructor(session: InferenceSession, device: Exclude<Device, "auto">) {
    this.#session = session;
    this.#uncopied = session.outputNames.includes(undeliverable);
    this.device = device;
  }

  /** Of a model's bytes, or of the path of its file. */
  static async open(
    model: Uint8Array | string,
    { device = "cpu", threads = 1, inferring = false }: SessionOptions = {},
  ): Promise<RuntimeSession> {
    if (device !== "auto") return RuntimeSession.#openOn(model, { device, threads, inferring });
    for (const candidate of ["cuda", "webgpu"] as const) {
      if (!isListed(candidate)) continue;
      try {
        return await RuntimeSession.#openOn(model, { device: candidate, threads, inferring });
      } catch {
        // Listed but unusable here, such as CUDA without its libraries; `auto` means to go on.
      }
    }
    return RuntimeSession.#openOn(model, { device: "cpu", threads, inferring });
  }

  static async #openOn(
    model: Uint8Array | string,
    { device, threads, inferring }: { device: Exclude<Device, "auto">; threads: number; inferring: boolean },
  ): Promise<RuntimeSession> {
    checkTelemetryDecided();
    if (device !== "cpu" && !isListed(device)) throw unavailable(device);
    try {
      // A path lets the runtime find weights that lie beside the file.
      const session = await nativeRuntime().InferenceSession.create(model as string, {
        executionProviders: [device],
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: "sequential",
        // "all" would also change layouts around pooling, which costs more than it gains in a training graph.
        graphOptimizationLevel: inferring ? "all" : "extended",
        // The memory pattern doubles the memory and makes nothing faster.
        enableMemPattern: false,
        extra: { session: threading },
        logSeverityLevel: 4,
      });
      return new RuntimeSession(session, device);
    } catch (cause) {
      if (device === "cpu")
        throw new CuelabError({
          kind: "failure",
          what: `the runtime refused the graph: ${messageOf(cause)}`,
          cause,
        });
      throw unavailable(device, cause);
    }
  }

  get inputs(): DescribedValue[] {
    return this.#session.inputMetadata.map(described);
  }

  get outputs(): DescribedValue[] {
    return this.#session.outputMetadata.map(described);
  }

  /** Runs once and writes the results into `targets`. */
  async run(
    feeds: Record<string, RuntimeValue>,
    targets: Readonly<Record<string, RuntimeValue>>,
  ): Promise<void> {
    try {
      await this.#session.run(feeds, this.#uncopied ? { ...targets, [undeliverable]: null } : targets);
    } catch (cause) {
      if (this.#uncopied && isUndeliverable(cause)) return;
      throw new CuelabError({ kind: "failure", what: `the runtime failed: ${messageOf(cause)}`, cause });
    }
  }

  /** Runs once and returns one result in a new array: its size need not be known before. */
  async result(feeds: Record<string, RuntimeValue>, output: string): Promise<RuntimeValue> {
    return (await this.#session.run(feeds, [output]))[output]!;
  }

  async results(
    feeds: Record<string, RuntimeValue>,
    outputs: readonly string[],
  ): Promise<Record<string, RuntimeValue>> {
    return this.#session.run(feeds, outputs);
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

function described(value: InferenceSession.ValueMetadata): DescribedValue {
  return value.isTensor
    ? { name: value.name, type: value.type, shape: value.shape }
    : { name: value.name, type: "no tensor", shape: [] };
}

function isListed(device: string): boolean {
  return nativeRuntime()
    .listSupportedBackends()
    .some((backend) => backend.name === device);
}

function unavailable(device: "cuda" | "webgpu", cause?: unknown): CuelabError {
  const needs = {
    cuda: `an NVIDIA GPU on Linux x64, CUDA 12 and cuDNN 9, and the CUDA files that \`npm install onnxruntime-node@${runtimeVersion()}\` fetches (in a clone: ONNXRUNTIME_NODE_INSTALL=cuda12 node node_modules/onnxruntime-node/script/install.js)`,
    webgpu: "a GPU with Vulkan (Linux), Direct3D 12 (Windows) or Metal (macOS), and its driver",
  }[device];
  return new CuelabError({
    kind: "input",
    what: `device "${device}" is not available${cause === undefined ? "" : `: ${messageOf(cause)}`}`,
    expected: needs,
    got: `this machine offers ${nativeRuntime()
      .listSupportedBackends()
      .map((backend) => backend.name)
      .join(", ")}`,
    todo: "install what is missing, or use --device cpu",
    ...(cause === undefined ? {} : { cause }),
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
