/**
 * What finished stages have left, on disk under ids of their own: a killed run goes on from them, and runs that begin alike
 * find each other's. The id is the hash of all that decides the weights: data, network, graphs, images, lengths, seeds.
 */

import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { removeFolder } from "../../disk/remove-file.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { emitProgram } from "../../engine/program.ts";
import type { Outputs, Weights } from "../../methods/method.ts";
import type { Stage, Wanted } from "../../methods/stage.ts";
import { namesIn, pluginsBehind } from "../../plugins/at-hand.ts";
import { runFormatVersion } from "../../runs/run-folder.ts";
import { decodeSafetensors, encodeSafetensors } from "../../runs/safetensors.ts";
import type { Measurement } from "../measurements.ts";
import type { RunSpec } from "../run-spec.ts";
import type { EpochRecord } from "../train.ts";
import type { MethodData } from "./method-data.ts";
import { isMethodState } from "./method-state.ts";
import type { OwnChoice } from "./own-choice.ts";
import { resolvedViews } from "./stage-chains.ts";
import type { StagePlan } from "./stage-plan.ts";
import type { StagePrograms } from "./stage-programs.ts";

export interface StoredStage {
  /** What the stage has changed; all else is as it was. */
  weights: Weights;
  history: EpochRecord[];
  /** Accuracies on the way, where the run asked for any. */
  measured: Measurement[];
  /** The epoch that was kept. */
  epoch: number;
  /** Builds of the program that made it; earlier ones did not say. */
  builds?: string[];
}

export interface Identified {
  spec: RunSpec;
  stage: Stage;
  plan: StagePlan;
  programs: StagePrograms;
  /** Where the stage is chosen by a number of its own. */
  choice: Pick<OwnChoice, "deciding"> | undefined;
  data: Pick<MethodData, "method" | "config">;
  /** The id of what it began with, values that replaced some of it, and how rounding is done. */
  begun: string;
  given: Weights | undefined;
  kernels: string;
}

/** Equal ids give equal bytes, whatever method the stage belongs to: all that decides is named here. */
export function stageId(identified: Identified): string {
  const { spec, stage, plan, programs, choice, data: told, begun, given, kernels } = identified;
  const { data, weights, model, freeze, pixels, optimiser, clipNorm, averageDecay, augment, lastLayer } =
    spec;
  const { seed, device, threads, schedule, select, patience } = spec;
  const { part, count, batchSize, isFull, stepsPerEpoch, length, scope, places, weights: drawn } = plan;
  const { sampling, inputs, standardise, solve } = stage;
  const views = stage.views && resolvedViews(stage);
  const hash = createHash("sha256");
  hash.update(
    JSON.stringify({
      runFormatVersion,
      data: [data.identity, data.settings, data.seed, data.environments],
      model,
      weights: weights && [weights.digest, weights.freshHead],
      spec: { freeze, pixels, optimiser, clipNorm, averageDecay, augment, lastLayer, seed, device, threads },
      // The rate of a stage with a length of its own does not depend on the run's.
      ...(plan.isMain && (schedule.name !== "constant" || schedule.warmUpSteps > 0) && { schedule }),
      ...(plan.isSelected && select.by !== "last" && { select, patience }),
      ...(plan.chosenBy !== undefined && { chosenBy: plan.chosenBy, patience }),
      plan: { part, count, batchSize, isFull, stepsPerEpoch, length, scope },
      stage: { optimiser: stage.optimiser, sampling, inputs, standardise, views, solve },
      // Graphs tell all of a method; of a network and a view from elsewhere there is more than a graph.
      plugins: pluginsBehind({
        models: [model.name],
        views: namesIn([augment, views]),
        methods: told.method.predict ? [told.method.name] : [],
      })?.map(({ digest }) => digest),
      // Outputs, and which epoch is kept, depend on how the method predicts, where that is its own way.
      ...(told.method.predict && { predict: [told.method.name, told.method.version, told.config] }),
      // Neither first values of the method's own nor rates, which are fed, are in a graph.
      beginning: programs.beginning,
      rates: programs.passes.map((pass) =>
        [0, length.steps >> 1, length.steps - 1].map((step) =>
          Object.entries(pass.scalars(step)).map(fedNumber),
        ),
      ),
      begun,
      kernels,
    }),
  );
  for (const { program } of programs.passes) hash.update(emitProgram(program).model);
  for (const model of choice?.deciding ?? []) hash.update(model);
  const columns = Object.entries(stage.columns ?? {});
  const named = [
    ["places", places],
    ["weights", drawn],
    ["groups", stage.groups?.codes],
    ...[...columns, ...(given ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ] as const;
  for (const [name, list] of named) {
    hash.update(`|${name}|`);
    if (list !== undefined) hash.update(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
  }
  return hash.digest("hex").slice(0, 24);
}

function fedNumber([name, values]: [string, Float32Array]): [string, number[]] {
  return [name, [...values]];
}

export class StageStore {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async isEmpty(): Promise<boolean> {
    return (await readdir(this.path).catch(() => [])).length === 0;
  }

  /** With the method's own state, where that was kept. */
  async load(id: string): Promise<(StoredStage & { state: Weights }) | undefined> {
    const file = await this.#read(`${id}.safetensors`);
    if (file === undefined) return undefined;
    const all = [...file.tensors].map(([name, { data }]) => [name, data] as const);
    const about = JSON.parse(file.metadata.stage ?? "") as Omit<StoredStage, "weights">;
    const isState = ([name]: (typeof all)[0]) => isMethodState(name);
    return {
      weights: new Map(all.filter((one) => !isState(one))),
      state: new Map(all.filter(isState)),
      ...about,
    };
  }

  async save(id: string, { weights, ...about }: StoredStage, state: Weights = new Map()): Promise<void> {
    await this.#write(`${id}.safetensors`, new Map([...weights, ...state]), {
      stage: JSON.stringify(about),
    });
  }

  async loadOutputs(id: string, wanted: Wanted): Promise<Outputs | undefined> {
    const file = await this.#read(outputsName(id, wanted));
    if (file === undefined) return undefined;
    const none = new Float32Array(0);
    const part = (name: string) => file.tensors.get(name)?.data ?? none;
    return { logits: part("logits"), features: part("features"), losses: part("losses") };
  }

  async saveOutputs(id: string, wanted: Wanted, outputs: Outputs): Promise<void> {
    await this.#write(outputsName(id, wanted), new Map(Object.entries(outputs)), {});
  }

  /** How many bytes it takes. */
  async size(): Promise<number> {
    const names = await readdir(this.path).catch(() => []);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(this.path, name))).size));
    return sizes.reduce((a, b) => a + b, 0);
  }

  async remove(): Promise<void> {
    await removeFolder(this.path);
  }

  async #read(name: string) {
    const where = join(this.path, name);
    const bytes = await readPlain(where).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") return undefined;
      throw cause;
    });
    return bytes && decodeSafetensors(bytes, where);
  }

  /** Another run may have written the same meanwhile: equal ids, equal bytes. */
  async #write(name: string, tensors: Weights, metadata: Record<string, string>): Promise<void> {
    const shaped = [...tensors].map(([key, data]) => [key, { shape: [data.length], data }] as const);
    const bytes = encodeSafetensors({ tensors: new Map(shaped), metadata });
    await writeWhole(join(this.path, name), bytes, { overwrite: true });
  }
}

function outputsName(id: string, { of, logits, features, losses }: Wanted): string {
  const hash = createHash("sha256").update(JSON.stringify({ logits, features, losses }));
  if (typeof of === "string") hash.update(of);
  else {
    const list = "places" in of ? of.places : of.weights;
    hash.update(of.part).update(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
  }
  return `${id}.${hash.digest("hex").slice(0, 8)}.safetensors`;
}

/** A replay that yields another stage than before would end with other bytes than an undisturbed run. */
export function impure(method: string, expected: string, got: string): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `method "${method}" does not yield the same stages when it is replayed`,
    expected,
    got,
    todo: "let `stages` read nothing but what it is handed (random numbers by `known.random`), and start over with --force",
  });
}
