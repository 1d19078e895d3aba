/** A stage chosen by a number of its own: the same expression, of validation images as they are and without an update. */

import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { Executable } from "../../engine/executable.ts";
import { crossEntropy, input, randomNormal, randomUniform, type Tensor } from "../../engine/expressions.ts";
import { mean } from "../../engine/ops/reductions.ts";
import { emitProgram } from "../../engine/program.ts";
import { State } from "../../engine/state.ts";
import { topologicalOrder } from "../../engine/tensor.ts";
import type { Batch } from "../../methods/method.ts";
import type { Stage } from "../../methods/stage.ts";
import { indicesOf } from "../splits.ts";
import { MethodState } from "./method-state.ts";
import { overFeatures } from "./run-network.ts";
import type { RunParts } from "./run-parts.ts";
import type { StagePlan } from "./stage-plan.ts";

/** What the stage's network takes of some validation images, block by block; undefined where it was asked to stop. */
export type ValidationInputs = (
  indices: Uint32Array,
  size: number,
) => AsyncIterable<Uint8Array | Float32Array | undefined>;

interface ValidationBlock {
  size: number;
  value: Tensor;
}

export class OwnChoice {
  /** Of the history. */
  readonly column: string;
  readonly indices: Uint32Array;
  readonly #run: RunParts;
  readonly #plan: StagePlan;
  /** All blocks but the last are of the first one's size. */
  readonly #blocks: readonly ValidationBlock[];
  #opened: Executable[] = [];

  private constructor(
    run: RunParts,
    plan: StagePlan,
    by: string,
    indices: Uint32Array,
    blocks: ValidationBlock[],
  ) {
    this.column = `val_own_${by}`;
    this.indices = indices;
    this.#run = run;
    this.#plan = plan;
    this.#blocks = blocks;
  }

  /** Undefined where the stage is not chosen by a number of its own; what cannot be measured is refused. */
  static of(stage: Stage, plan: StagePlan, run: RunParts, features: boolean): OwnChoice | undefined {
    const { chosenBy: by } = plan;
    if (by === undefined) return undefined;
    const indices = indicesOf(run.dataset, "val");
    checkChosen(stage, by, run, indices.length);
    const size = Math.min(plan.isFull ? run.spec.batchSize : plan.batchSize, indices.length);
    const rest = indices.length % size;
    const blocks = [size, ...(rest > 0 ? [rest] : [])].map((each) => ({
      size: each,
      value: chosenValue(stage, by, run, features, each),
    }));
    return new OwnChoice(run, plan, by, indices, blocks);
  }

  /** All that decides its value beside the weights: part of the stage's id. */
  get deciding(): Uint8Array[] {
    return this.#blocks.map(({ value }) => emitProgram({ outputs: { value } }).model);
  }

  /** Mean over the validation images; undefined where it was asked to stop. */
  async value(get: (name: string) => Float32Array, inputs: ValidationInputs): Promise<number | undefined> {
    const executables = await this.#open();
    const state = new State();
    for (const { stateNames } of executables) for (const name of stateNames) state.set(name, get(name));
    const [{ size }] = this.#blocks as [ValidationBlock];
    let [sum, done] = [0, 0];
    for await (const fed of inputs(this.indices, size)) {
      if (fed === undefined) return undefined;
      const which = this.indices.length - done < size ? 1 : 0;
      const count = this.#blocks[which]!.size;
      const block = done / size;
      const { value } = await executables[which]!.run(
        { inputs: fed.subarray(0, (fed.length / size) * count) as Uint8Array },
        // The same numbers at every epoch: epochs are compared, and not their luck.
        { state, random: (key) => this.#random(key).at(block) },
      );
      sum += count * value![0]!;
      done += count;
    }
    return sum / this.indices.length;
  }

  async close(): Promise<void> {
    for (const executable of this.#opened) await executable.close();
    this.#opened = [];
  }

  #random(key: string) {
    return randomStream(this.#run.spec.seed, `${this.#plan.scope}validation/${key}`);
  }

  async #open(): Promise<Executable[]> {
    const { device, threads } = this.#run.spec;
    if (this.#opened.length === 0)
      for (const { value } of this.#blocks)
        this.#opened.push(await Executable.compile({ outputs: { value } }, { device, threads }));
    return this.#opened;
  }
}

/** The stage built once more over validation images, with the network and the method's own as they are evaluated. */
function chosenValue(stage: Stage, by: string, run: RunParts, features: boolean, size: number): Tensor {
  const { network, own } = run.network.evaluated();
  const inputs = features
    ? input("inputs", [size, run.features.width])
    : input("inputs", [size, ...imageShape(run)], "byte");
  const batch = untold(size, inputs);
  const { loss, columns = {} } = stage.build({
    network: features ? overFeatures(network) : network,
    own,
    batch,
    other: () => untold(size, input("a second batch", inputs.shape, inputs.dtype)),
    classes: network.classes,
    state: new MethodState().declare,
    random: (name, shape, distribution = "uniform") =>
      (distribution === "normal" ? randomNormal : randomUniform)(`method/${name}`, shape),
  });
  const value = Object.hasOwn(columns, by) ? columns[by]! : by === "loss" ? loss : undefined;
  if (value === undefined)
    throw new CuelabError({
      kind: "failure",
      what: `stage "${stage.name}" of method "${run.data.method.name}" is to be chosen by "${by}", which it does not have`,
      expected: `one of: ${["loss", ...Object.keys(columns)].join(", ")}`,
    });
  checkTold(value, stage, by, run);
  return value.shape.length === 0 ? value : mean(value);
}

function imageShape({ dataset }: RunParts): [number, number, number] {
  const { height, width, channels } = dataset.images.shape!;
  return [height, width, channels];
}

/** A batch of images as they are. All else that is asked of it has a name, and is refused if the value depends on it. */
function untold(size: number, inputs: Tensor): Batch {
  const int = (name: string) => input(name, [size], "int");
  const labels = int("classes");
  return {
    size,
    inputs,
    labels,
    losses: (logits, others = labels) => crossEntropy(logits, others),
    view: (name) => input(`view "${name}"`, inputs.shape, inputs.dtype),
    code: (view) => int(`codes of view "${view}"`),
    share: (view) => input(`shares of view "${view}"`, [size]),
    indices: int("places in the stage's part"),
    column: (name) => input(`column "${name}"`, [size]),
    groups: int("groups"),
    bias: int("values of cues"),
    environments: () => {
      throw new CuelabError({
        kind: "failure",
        what: "a stage that draws environments is to be chosen by a number of its own",
        expected: "a stage whose numbers are of any images: validation images are not drawn by groups",
        todo: "leave `selected` away, and the run's rule chooses",
      });
    },
  };
}

function checkTold(value: Tensor, stage: Stage, by: string, { data }: RunParts): void {
  const needed = topologicalOrder([value]).flatMap(({ op, attributes }) => {
    const { name, role } = attributes as { name: string; role?: string };
    return op.name === "input" && role === "data" && name !== "inputs" ? [name] : [];
  });
  if (needed.length === 0) return;
  throw new CuelabError({
    kind: "failure",
    what: `stage "${stage.name}" of method "${data.method.name}" is to be chosen by "${by}", which needs more than images`,
    expected: "a number of validation images as they are, without labels, groups, views or columns",
    got: [...new Set(needed)].join(", "),
    todo: "name another of the stage's `columns`, or leave `selected` away, and the run's rule chooses",
  });
}

function checkChosen({ name, solve, inputs }: Stage, by: string, run: RunParts, images: number): void {
  const { data, dataset } = run;
  const what = `stage "${name}" of method "${data.method.name}" is to be chosen by "${by}"`;
  if (solve !== undefined || inputs === "none")
    throw new CuelabError({
      kind: "failure",
      what: `${what}, and ${solve === undefined ? "takes no images" : "is solved, which leaves nothing to choose from"}`,
      expected: "a stage that is stepped along, on images or features",
    });
  // As for the run's own rules: images that a method has learnt from say nothing of which epoch is best.
  if (data.supervision.trainsOnVal)
    throw new CuelabError({
      kind: "failure",
      what: `${what} on validation images, which the method trains on`,
      expected: "validation images that are either learnt from or chosen by",
    });
  if (images === 0)
    throw new CuelabError({
      kind: "input",
      what: `${what} on validation images, and there are none`,
      where: dataset.name,
      todo: "give some images the split val",
    });
}
