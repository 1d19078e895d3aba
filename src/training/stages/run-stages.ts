/** Drives a method's stages: builds, trains and remembers each, and hands the method what it has left. */

import { programBuild } from "../../core/build.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import type { Made, Outputs, Weights } from "../../methods/method.ts";
import type { Stage, Wanted } from "../../methods/stage.ts";
import {
  type FinishedStage,
  firstPosition,
  loadCheckpoint,
  type SavedRun,
  saveCheckpoint,
} from "../checkpoint.ts";
import { lossesOf } from "../evaluate.ts";
import type { StageInference } from "../judge-inference.ts";
import { checkMeasured } from "../measurements.ts";
import type { OwnNumber } from "../results.ts";
import { lengthOf, runSelections } from "../run-spec.ts";
import { batchNotes } from "./batch-notes.ts";
import { checkMemory } from "./feature-source.ts";
import { methodStateOf, stateName } from "./method-state.ts";
import { type OpenedStage, openStage } from "./open-stage.ts";
import { ownName } from "./own-parts.ts";
import type { RunParts } from "./run-parts.ts";
import { solveStage } from "./solve-stage.ts";
import { rowsFrom } from "./stage-plan.ts";
import { type StageEnd, StageRun } from "./stage-run.ts";
import { impure, type StageStore } from "./stage-store.ts";

export interface RunEnd extends StageEnd {
  /** Numbers an image that stages report, by stage and name. */
  reports: { stage: string; part: "train" | "val"; columns: NonNullable<Stage["reports"]> }[];
  /** What stages have inferred of their images. */
  inferred: StageInference[];
  /** Numbers of the method's own. */
  numbers: OwnNumber[];
  /** Where the last stage is chosen by a number of its own: stage and number. */
  chosenBy?: { stage: string; number: string };
}

/** Undefined where it was asked to stop. */
export async function runStages(run: RunParts, store: StageStore): Promise<RunEnd | undefined> {
  const { data, spec } = run;
  checkLearnt(run);
  const stages = data.method.stages(data.known(spec.epochs));
  const saved = await loadCheckpoint(run.folder, run.kernels);
  const others = run.folder.takeOver(saved?.builds ?? []);
  if (others.length > 0)
    run.hooks.onPhase(
      `going on with what another build of the program began (${others.join(", ")}; this is ${programBuild()}): if code that decides numbers has changed since, start over with --force`,
    );
  // What a run that is started over has left in its own folder.
  if (saved === undefined && run.resources.stages === undefined) await store.remove();
  const driver = new StageDriver(run, store, saved);
  let turn = stages.next();
  if (turn.done) throw noStages(data.method.name);
  for (;;) {
    const left = await driver.stage(turn.value);
    if (left === undefined) return undefined;
    const next = stages.next(left.made);
    if (next.done) return driver.end(next.value);
    await driver.goOn();
    turn = next;
  }
}

interface FoundStage extends StageEnd {
  /** Of the method's own, where it was kept. */
  state: Weights;
}

interface FinishedNow {
  opened: OpenedStage;
  end: StageEnd;
  made: Made;
  outputs: (readonly [Wanted, Outputs])[];
  fromStore: boolean;
}

class StageDriver {
  readonly #run: RunParts;
  readonly #store: StageStore;
  readonly #saved: SavedRun | undefined;
  readonly #done: FinishedStage[] = [];
  readonly #names = new Set<string>();
  readonly #earlier: StageEnd["history"] = [];
  readonly #reports: RunEnd["reports"] = [];
  readonly #inferred: StageInference[] = [];
  readonly #numbers: OwnNumber[] = [];
  /** By the last stage that was as long as the run is asked for. */
  #measured: RunEnd["measured"] | undefined;
  /** Weights as the stages so far have left them. */
  #weights: Weights = new Map();
  /** The id of the last finished stage. */
  #begun = "the run's first weights";
  #now: FinishedNow | undefined;

  constructor(run: RunParts, store: StageStore, saved: SavedRun | undefined) {
    this.#run = run;
    this.#store = store;
    this.#saved = saved;
  }

  /** Trains a stage, or finds what it has left; undefined where it was asked to stop. */
  async stage(stage: Stage): Promise<FinishedNow | undefined> {
    const { data } = this.#run;
    const index = this.#done.length;
    if (this.#names.has(stage.name))
      throw new CuelabError({
        kind: "failure",
        what: `method "${data.method.name}" has two stages called "${stage.name}"`,
        expected: "a name for each: random numbers and files are told apart by it",
      });
    this.#names.add(stage.name);
    const opened = openStage(stage, this.#run, { index, before: this.#weights, begun: this.#begun });
    try {
      return await this.#finished(opened);
    } finally {
      await opened.close();
    }
  }

  async #finished(opened: OpenedStage): Promise<FinishedNow | undefined> {
    const { hooks, spec } = this.#run;
    const { stage, plan } = opened;
    const { index } = plan;
    const known = this.#saved?.position.stages[index];
    const found = await this.#found(opened, known);
    if (found === undefined) {
      if (index > 0) hooks.onPhase(`stage ${index + 1}: ${stage.name}`);
      const notes = [...(stage.notes ?? []), ...batchNotes(stage, plan, spec), ...opened.programs.notes];
      for (const note of notes) hooks.onPhase(note);
    } else if (known === undefined) {
      hooks.onPhase(`stage ${index + 1}: ${stage.name}, as another run has left it`);
    }
    const end = found ?? (await this.#trained(opened));
    if (end === undefined) return undefined;
    const [kept] = end.kept as [StageEnd["kept"][0]];
    const outputs = await this.#outputs(opened, kept.weights, found !== undefined);
    if (outputs === undefined) return undefined;
    if (stage.reports !== undefined)
      this.#reports.push({ stage: stage.name, part: plan.part, columns: stage.reports });
    for (const [name, value] of Object.entries(stage.numbers ?? {}))
      this.#numbers.push({ stage: stage.name, name, value });
    this.#infer(opened, found?.state);
    if (plan.isMain) this.#measured = end.measured;
    this.#now = {
      opened,
      end,
      outputs,
      fromStore: found !== undefined,
      made: {
        weights: kept.weights,
        parameter: (name) => ownParameter(kept.weights, name, stage),
        outputs: outputs.map(([, output]) => output),
      },
    };
    return this.#now;
  }

  /** Scores are reported like other numbers of an image, and judged at the end. */
  #infer({ stage, plan, programs }: OpenedStage, stored: Weights | undefined): void {
    if (stage.infers === undefined) return;
    const inferred = stage.infers((name) => {
      const key = stateName(name);
      return stored === undefined ? programs.state.get(key) : lookUp(stored, key);
    });
    this.#inferred.push({ stage: stage.name, part: plan.part, inferred });
    const columns = Object.entries(inferred).map(([name, { scores }]) => [name, scores] as const);
    this.#reports.push({ stage: stage.name, part: plan.part, columns: Object.fromEntries(columns) });
  }

  /** There is a next stage: what this one has left is kept for it, and for a run that goes on after a kill. */
  async goOn(): Promise<void> {
    const { opened, end, outputs } = this.#now!;
    const [{ weights }] = end.kept as [StageEnd["kept"][0]];
    const id = opened.id();
    await this.#storeNow();
    for (const [wanted, output] of outputs) await this.#store.saveOutputs(id, wanted, output);
    this.#done.push({ name: opened.stage.name, id });
    this.#earlier.push(...end.history);
    this.#weights = weights;
    this.#begun = id;
    await saveCheckpoint(
      this.#run.folder,
      { names: [], get: () => new Float32Array(0) },
      { position: firstPosition([...this.#done]), bestWeights: [], kernels: this.#run.kernels },
    );
  }

  /** What the stage has changed; again only where it was trained now. */
  async #storeNow(): Promise<void> {
    const { opened, end, fromStore } = this.#now!;
    if (!fromStore) await this.#storeEnd(opened, end, opened.id());
  }

  async #storeEnd(opened: OpenedStage, end: StageEnd, id: string): Promise<void> {
    const [{ weights, epoch }] = end.kept as [StageEnd["kept"][0]];
    const moved = opened.begins === "fresh" ? [...weights.keys()] : opened.programs.moved;
    const changed = new Map(moved.map((name) => [name, lookUp(weights, name)]));
    const { history, measured } = end;
    const { builds } = this.#run.folder;
    const state = opened.stage.infers && methodStateOf(opened.programs.state);
    await this.#store.save(id, { weights: changed, history, measured, epoch, builds }, state);
  }

  /**
   * With a constant rate a run is, as far as it goes, every longer one's beginning: what it had where it was measured is kept for
   * others as if it had ended there.
   */
  #shorter(opened: OpenedStage): ((end: StageEnd) => Promise<void>) | undefined {
    const { spec } = this.#run;
    const { plan, stage } = opened;
    const { schedule, select } = spec;
    const isBeginning =
      plan.isMain &&
      schedule.name === "constant" &&
      schedule.warmUpSteps === 0 &&
      (stage.optimiser?.schedule ?? "constant") === "constant" &&
      select.by === "last" &&
      plan.chosenBy === undefined &&
      stage.infers === undefined;
    if (!isBeginning || !this.#keepsWhole(opened)) return undefined;
    return async (end) => {
      const epochs = end.history.length;
      await this.#storeEnd(opened, end, opened.id(lengthOf({ epochs }, plan.stepsPerEpoch)));
    };
  }

  /** Where others look: a whole run of one stage is what methods of several begin with. */
  #keepsWhole({ plan }: OpenedStage): boolean {
    const { stages, keepsRuns = true } = this.#run.resources;
    return stages !== undefined && keepsRuns && plan.index === 0 && this.#run.spec.keep === undefined;
  }

  /** What the run keeps: the last stage's weights, or those that the method returns. */
  async end(returned: Weights | undefined): Promise<RunEnd> {
    const { end, opened } = this.#now!;
    const { spec } = this.#run;
    if (this.#keepsWhole(opened)) await this.#storeNow();
    const history = [...this.#earlier, ...end.history];
    const kept =
      returned === undefined
        ? end.kept
        : [{ epoch: end.kept[0]!.epoch, weights: new Map([...end.kept[0]!.weights, ...returned]) }];
    if (spec.alsoSelect !== undefined && kept.length === 1)
      this.#run.hooks.onPhase(
        "further rules of selection have no effect: the last stage has no epochs to choose from",
      );
    const { chosenBy: number } = opened.plan;
    return {
      ...end,
      kept,
      history,
      measured: this.#measured ?? end.measured,
      reports: this.#reports,
      inferred: this.#inferred,
      numbers: this.#numbers,
      ...(number !== undefined && { chosenBy: { stage: opened.stage.name, number } }),
    };
  }

  async #found(opened: OpenedStage, known: FinishedStage | undefined): Promise<FoundStage | undefined> {
    const { data, spec } = this.#run;
    const { plan } = opened;
    // What another run has left has no further epochs and no measurements: those that this one wants are its own.
    const wantsMore =
      (plan.isSelected && spec.alsoSelect !== undefined) || (plan.isMain && spec.measureSteps !== undefined);
    if (known === undefined && (wantsMore || (await this.#store.isEmpty()))) return undefined;
    const id = opened.id();
    if (known !== undefined && known.id !== id)
      throw impure(
        data.method.name,
        `stage "${known.name}" as it was before`,
        `stage "${opened.stage.name}"`,
      );
    const stored = await this.#store.load(id);
    // What it inferred is in its state, which those who do not ask for it do not keep.
    const wantsState = opened.stage.infers !== undefined && methodStateOf(opened.programs.state).size > 0;
    if (stored === undefined || (wantsState && stored.state.size === 0)) return undefined;
    const { weights, state, history, measured, epoch, builds = [] } = stored;
    const others = this.#run.folder.takeOver(builds);
    if (others.length > 0)
      this.#run.hooks.onPhase(`another build of the program (${others.join(", ")}) trained the stage below`);
    const renamed = history.map((record) => ({ ...record, stage: opened.stage.name }));
    const all = opened.begins === "fresh" ? weights : new Map([...opened.before, ...weights]);
    return { history: renamed, measured, kept: [{ epoch, weights: all }], state };
  }

  async #trained(opened: OpenedStage): Promise<StageEnd | undefined> {
    const { stage, plan } = opened;
    const { spec } = this.#run;
    if (plan.isMain) checkMeasured(spec, plan.length.steps);
    if (!(await opened.load())) return undefined;
    if (stage.solve !== undefined) return solveStage(opened, stage.solve, this.#run);
    const evaluator = await opened.evaluator();
    const run = new StageRun(this.#run, {
      ...opened,
      evaluator,
      // Weights that make no model yet have no epochs to choose from.
      rules: plan.isSelected && evaluator !== undefined ? runSelections(spec) : [],
      position: firstPosition([...this.#done]),
      penalty: () => l1Penalty(opened, this.#run),
      shorter: this.#shorter(opened),
    });
    const saved = this.#saved;
    // A checkpoint is of the first stage that was not done.
    if (saved !== undefined && saved.position.stages.length === this.#done.length && saved.state.size > 0)
      run.restore(saved);
    return run.toTheEnd();
  }

  async #outputs(
    opened: OpenedStage,
    weights: Weights,
    mayBeStored: boolean,
  ): Promise<(readonly [Wanted, Outputs])[] | undefined> {
    const found: (readonly [Wanted, Outputs])[] = [];
    for (const wanted of opened.stage.wants ?? []) {
      const stored = mayBeStored ? await this.#store.loadOutputs(opened.id(), wanted) : undefined;
      const outputs = stored ?? (await this.#computed(opened, wanted, weights));
      if (outputs === undefined) return undefined;
      found.push([wanted, outputs]);
    }
    return found;
  }

  async #computed(
    { stage, plan, ...opened }: OpenedStage,
    wanted: Wanted,
    weights: Weights,
  ): Promise<Outputs | undefined> {
    const { data, dataset, features, hooks } = this.#run;
    const indices = rowsFrom(wanted.of, stage.name, data);
    const none = new Float32Array(0);
    const wantsLogits = wanted.logits || wanted.losses;
    if (wantsLogits || wanted.features)
      hooks.onPhase(`stage ${plan.index + 1}: what it says of ${indices.length.toLocaleString("en")} images`);
    const evaluator = wantsLogits ? await opened.evaluator() : undefined;
    if (wantsLogits && evaluator === undefined) throw noModel(data.method.name, stage);
    const logits = evaluator === undefined ? none : await evaluator.rows(indices, weights, hooks);
    if (logits === undefined) return undefined;
    if (wanted.features)
      checkMemory(
        indices.length,
        features,
        `what stage "${stage.name}" wants is all at once`,
        "ask for features of fewer images, or let a stage take them as its inputs, which reads them batch by batch",
      );
    const read = wanted.features ? await features.of(indices, weights, hooks) : async () => none;
    if (read === undefined) return undefined;
    const losses = wanted.losses
      ? Float32Array.from(lossesOf(logits, indices, dataset.labels, dataset.classNames.length))
      : none;
    return { logits: wanted.logits ? logits : none, features: await read(indices), losses };
  }
}

/** L1 is no part of the graph's loss: its step is a proximal one. */
function l1Penalty({ programs }: OpenedStage, { spec, network }: RunParts): number {
  const { l1 = 0 } = spec.lastLayer ?? {};
  if (l1 === 0) return 0;
  const weight = programs.state.get(`${network.model.head}.weight`);
  return l1 * weight.reduce((total, value) => total + Math.abs(value), 0);
}

function ownParameter(weights: Weights, name: string, stage: Stage): Float32Array {
  const found = weights.get(ownName(name));
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "failure",
    what: `stage "${stage.name}" has left no parameter "${name}" of the method's own`,
    expected: `one of: ${[...weights.keys()].filter((key) => key.startsWith(ownName(""))).join(", ") || "none"}`,
  });
}

function noModel(method: string, { name }: Stage): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `stage "${name}" of method "${method}" wants logits, and its weights make no model yet`,
    expected: "a stage that trains all that `predict` uses, or features instead of logits",
  });
}

/** Images that a method has learnt from say nothing of which epoch is best. */
function checkLearnt({ spec, data }: RunParts): void {
  if (!data.supervision.trainsOnVal || spec.select.by === "last") return;
  throw new CuelabError({
    kind: "usage",
    what: `method "${data.method.name}" trains on validation images, and an epoch is to be chosen by them`,
    expected: "validation images that are either learnt from or chosen by",
    todo: "leave --select away, or choose a method, or settings of it, that do not train on them",
  });
}

function noStages(method: string): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `method "${method}" has no stages: there is nothing to train`,
  });
}
