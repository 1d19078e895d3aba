/** One stage of a run: epochs, evaluation, selection and checkpoints, from its first weights to those that it leaves. */

import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { Executable } from "../../engine/executable.ts";
import { averageName } from "../../engine/training/step.ts";
import type { Weights } from "../../methods/method.ts";
import type { Stage } from "../../methods/stage.ts";
import { type Position, restoreState, type SavedRun, saveCheckpoint } from "../checkpoint.ts";
import { checkFinite, checkLoss } from "../divergence.ts";
import { epochsAfter } from "../epochs.ts";
import { evaluateSplits, type ValidationScore } from "../evaluate.ts";
import type { Evaluator } from "../evaluator.ts";
import { measure } from "../measurements.ts";
import { preferenceColumns } from "../preference-columns.ts";
import { type Selection, scoreOf } from "../selection.ts";
import { evaluatedSplits } from "../splits.ts";
import type { EpochRecord } from "../train.ts";
import type { OwnChoice, ValidationInputs } from "./own-choice.ts";
import type { RunParts } from "./run-parts.ts";
import type { StageFeed, StepRequest } from "./stage-feed.ts";
import type { StagePlan } from "./stage-plan.ts";
import type { StagePrograms } from "./stage-programs.ts";

/** The epoch that a rule has chosen, or the last one. */
export interface KeptEpoch {
  epoch: number;
  weights: Weights;
  /** What these weights say, where that was measured at last. */
  evaluated?: ValidationScore | undefined;
}

export interface StageEnd {
  history: EpochRecord[];
  measured: NonNullable<Position["measured"]>;
  /** One for each rule, the run's first; the last epoch where there are no rules. */
  kept: KeptEpoch[];
}

export interface StageRunOptions {
  stage: Stage;
  plan: StagePlan;
  programs: StagePrograms;
  feed: StageFeed;
  /** Weights that were there when the stage began: those that it does not touch stay. */
  before: Weights;
  /** Of the validation images; undefined where this stage's weights make no model yet. */
  evaluator: Evaluator | undefined;
  /** How an epoch is chosen: by each of these, for itself. */
  rules: readonly Selection[];
  /** Or by a number of the stage's own. */
  choice?: OwnChoice | undefined;
  validation: ValidationInputs;
  /** From the weights that the stage trains to those that it leaves. */
  finished: (weights: Weights) => Weights;
  position: Position;
  /** What the reported loss has beside the mean over batches. */
  penalty?: () => number;
  /** Told of each epoch that ends where accuracies are measured: a shorter run would have ended with this. */
  shorter?: ((end: StageEnd) => Promise<void>) | undefined;
}

/** Where nobody looks, or the weights make no model yet. */
const unvalidated: ValidationScore = {
  predictions: { indices: new Uint32Array(0), logits: new Float32Array(0) },
  loss: null,
  accuracy: null,
};

/** Validation is measured so many times at least, where epochs are single steps. */
const leastEvaluations = 20;

export class StageRun {
  readonly #run: RunParts;
  readonly #options: StageRunOptions;
  #position: Position;
  #best: Weights[] = [];
  #passes: Executable[] = [];
  #saved = performance.now();
  #images = 0;
  /** The last measurement of this process, and the step that it was made after. */
  #last: { step: number; evaluation: ValidationScore } | undefined;

  constructor(run: RunParts, options: StageRunOptions) {
    this.#run = run;
    this.#options = options;
    this.#position = options.position;
  }

  /** Goes on where a killed process was. */
  restore({ position, state, bestWeights }: SavedRun): void {
    this.#position = position;
    this.#best = bestWeights;
    restoreState(this.#options.programs.state, state, this.#run.folder);
  }

  /** Trains, or goes on training; undefined when asked to stop. */
  async toTheEnd(): Promise<StageEnd | undefined> {
    const { programs, plan } = this.#options;
    const { device, threads } = this.#run.spec;
    try {
      if (this.#position.epoch < plan.length.epochs) {
        for (const { program } of programs.passes)
          this.#passes.push(await Executable.compile(program, { device, threads }));
      }
      while (this.#position.epoch < plan.length.epochs && !this.#patienceIsOver()) {
        if (!((await this.#epoch()) && (await this.#endEpoch()))) return undefined;
      }
    } finally {
      // Before others are opened: two of a large network's do not fit side by side.
      for (const executable of this.#passes) await executable.close();
      this.#passes = [];
    }
    const { history, best, measured = [] } = this.#position;
    const isLast = best === undefined && this.#last?.step === plan.length.steps;
    const last = {
      epoch: history.length,
      weights: this.#currentWeights(),
      evaluated: isLast ? this.#last!.evaluation : undefined,
    };
    const kept = best?.map(({ epoch }, rule) => ({ epoch, weights: this.#best[rule]! })) ?? [last];
    return { history, measured, kept };
  }

  /** False when asked to stop in the middle. */
  async #epoch(): Promise<boolean> {
    const { stepsPerEpoch, length, isMain } = this.#options.plan;
    const position = this.#position;
    const before = position.epoch * stepsPerEpoch;
    const end = Math.min(stepsPerEpoch, length.steps - before);
    const measured = isMain ? (this.#run.spec.measureSteps ?? []) : [];
    const stops = measured.map((step) => step - before);
    for (;;) {
      if (stops.includes(position.step) && !(await this.#measure(before + position.step))) return false;
      if (position.step === end) return true;
      const next = stops.filter((step) => step > position.step && step < end);
      if (!(await this.#train(Math.min(end, ...next)))) return false;
    }
  }

  /** Up to this step of the epoch; false when asked to stop before. */
  async #train(end: number): Promise<boolean> {
    const { plan, programs, feed, stage } = this.#options;
    const { hooks, resources } = this.#run;
    const { batchSize, length, stepsPerEpoch } = plan;
    const position = this.#position;
    const requests = this.#requests(end);
    const prefixes = programs.batches.map(({ prefix }) => prefix);
    for await (const batches of feed.batches(requests, prefixes)) {
      const value = await this.#update(requests[position.step - requests[0]!.inEpoch]!, batches);
      checkLoss(value, stage, position);
      position.lossSum += value;
      position.step++;
      this.#images += batchSize;
      hooks.onProgress({
        ...(this.#hasStages && { stage: stage.name }),
        epoch: position.epoch + 1,
        epochs: length.epochs,
        step: position.step,
        steps: stepsPerEpoch,
        loss: position.lossSum / position.step,
        images: this.#images,
        totalImages:
          this.#images + batchSize * (length.steps - position.epoch * stepsPerEpoch - position.step),
      });
      if (hooks.shouldStop()) {
        await this.#save();
        return false;
      }
      if (performance.now() - this.#saved > 1000 * resources.checkpointSeconds) await this.#save();
    }
    return true;
  }

  /** Whether people should be told which stage it is. */
  get #hasStages(): boolean {
    const { plan, stage } = this.#options;
    return plan.index > 0 || stage.name !== "train";
  }

  /** Unless it was measured before; false when asked to stop in the middle, and then it begins again. */
  async #measure(step: number): Promise<boolean> {
    const { dataset, spec, evaluator, hooks } = this.#run;
    const { measured = [] } = this.#position;
    if (measured.some((measurement) => measurement.step === step)) return true;
    const names = evaluatedSplits(dataset);
    const evaluation = await evaluateSplits(names, this.#currentWeights(), dataset, evaluator, hooks);
    if (evaluation === undefined) {
      await this.#save();
      return false;
    }
    this.#last = { step, evaluation };
    const { batchSize, count } = this.#options.plan;
    const epoch = epochsAfter(step, { batchSize, images: count });
    const slices = measure(dataset, evaluation.predictions, spec);
    this.#position.measured = [...measured, { step, epoch, slices }];
    return true;
  }

  /** What is left of this epoch up to a step. */
  #requests(end: number): StepRequest[] {
    const { plan, programs } = this.#options;
    const { epoch, step } = this.#position;
    const placesAt = programs.batches.map(({ sampler }) => sampler(epoch));
    return Array.from({ length: end - step }, (_, i) => {
      const inEpoch = step + i;
      const places = placesAt.map((at) => at(inEpoch));
      return { inEpoch, global: epoch * plan.stepsPerEpoch + inEpoch, places };
    });
  }

  /** Every update that the method makes with a batch; the first one's loss. */
  async #update(
    { global, places }: StepRequest,
    batches: Awaited<ReturnType<StageFeed["batches"]>> extends AsyncIterable<infer Fed> ? Fed : never,
  ): Promise<number> {
    const { programs, plan } = this.#options;
    const { seed } = this.#run.spec;
    const fed = Object.assign(
      {},
      ...batches.flatMap(({ fed, mixed }, i) => [fed, programs.batches[i]!.feeds(places[i]!, mixed)]),
    ) as Record<string, Float32Array>;
    let first: number | undefined;
    for (const [i, pass] of programs.passes.entries()) {
      const outputs = await this.#passes[i]!.run(
        { ...fed, ...pass.scalars(global) },
        { state: programs.state, random: (key) => randomStream(seed, plan.scope + key).at(global) },
      );
      if (i > 0) continue;
      first = outputs.loss![0]!;
      for (const name of programs.columns) {
        this.#position.columnSums ??= {};
        this.#position.columnSums[name] =
          (this.#position.columnSums[name] ?? 0) + outputs[`column/${name}`]![0]!;
      }
    }
    return first!;
  }

  /** False when asked to stop in the middle: all steps are done then, and evaluation begins again. */
  async #endEpoch(): Promise<boolean> {
    const { plan, stage, rules, choice, validation, evaluator, feed } = this.#options;
    const { hooks, dataset, spec } = this.#run;
    const position = this.#position;
    const weights = this.#currentWeights();
    const isDue = spec.keep !== "accuracies" && this.#isValidated(position.epoch + 1);
    const val =
      isDue && evaluator !== undefined
        ? await evaluateSplits(["val"], weights, dataset, evaluator, hooks)
        : unvalidated;
    if (val === undefined) {
      await this.#save();
      return false;
    }
    if (val.loss !== null) checkFinite(val.loss, `epoch ${position.epoch + 1}, validation`);
    const own = choice && (await choice.value(this.#trainedValues, validation));
    if (choice !== undefined && own === undefined) {
      await this.#save();
      return false;
    }
    if (own !== undefined) checkFinite(own, `epoch ${position.epoch + 1}, ${choice!.column}`);
    const columns = {
      ...(val.accuracy !== null && preferenceColumns(dataset, val.predictions)),
      ...(position.columnSums && this.#means(position.columnSums, position.step)),
      ...(own !== undefined && { [choice!.column]: own }),
    };
    const record: EpochRecord = {
      stage: stage.name,
      epoch: position.epoch + 1,
      trainLoss: position.lossSum / position.step + (this.#options.penalty?.() ?? 0),
      valLoss: val.loss,
      valAccuracy: val.accuracy,
      ...(Object.keys(columns).length > 0 && { columns }),
    };
    if (rules.length > 0 && evaluator === undefined) throw nothingToChoose(stage, this.#run.data.method.name);
    const scores = own === undefined ? rules.map((rule) => scoreOf(rule, dataset, val.predictions)) : [-own];
    if (scores.length > 0) this.#keepIfBest(record.epoch, scores, weights);
    const { columnSums: _, ...rest } = position;
    this.#position = {
      ...rest,
      epoch: position.epoch + 1,
      step: 0,
      lossSum: 0,
      history: [...position.history, record],
    };
    hooks.onEpoch(record);
    await this.#tellShorter(weights);
    // Last layers make thousands of epochs a minute: saving each would take longer than training it.
    const isEnd = this.#position.epoch === plan.length.epochs;
    if (feed.isSlow || isEnd || this.#isSaveDue()) await this.#save();
    return true;
  }

  async #tellShorter(weights: Weights): Promise<void> {
    const { shorter, plan } = this.#options;
    const { epoch, history, measured = [] } = this.#position;
    const step = epoch * plan.stepsPerEpoch;
    if (!this.#run.spec.measureSteps?.includes(step) || step === plan.length.steps) return;
    await shorter?.({ history, measured, kept: [{ epoch, weights }] });
  }

  #means(sums: Record<string, number>, steps: number): Record<string, number> {
    return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / steps]));
  }

  /** Every epoch, unless epochs are single steps that nobody chooses from. */
  #isValidated(epoch: number): boolean {
    const { plan, rules } = this.#options;
    if (!plan.isFull || rules.length > 0) return true;
    const every = Math.ceil(plan.length.epochs / leastEvaluations);
    return epoch % every === 0 || epoch === plan.length.epochs;
  }

  /** Higher is better, under each rule. */
  #keepIfBest(epoch: number, scores: readonly number[], weights: Weights): void {
    let copy: Weights | undefined;
    const before = this.#position.best;
    const best = scores.map((value, i) => {
      const known = before?.[i];
      if (known !== undefined && !(value > known.value)) return known;
      // Rules that choose the same epoch share one copy.
      copy ??= new Map([...weights].map(([name, data]) => [name, Float32Array.from(data)]));
      this.#best[i] = copy;
      return { epoch, value };
    });
    this.#position.best = best;
  }

  /** Of the run's own rule: the others are asked along. */
  #patienceIsOver(): boolean {
    const { patience } = this.#run.spec;
    const { best, history } = this.#position;
    return patience !== undefined && best !== undefined && history.length - best[0]!.epoch >= patience;
  }

  /** The averages where they are kept, else the weights themselves, as the stage leaves them. */
  #currentWeights(): Weights {
    const { programs, before, finished } = this.#options;
    const present = new Map(before);
    for (const { name } of programs.parameters) present.set(name, this.#trainedValues(name));
    return finished(present);
  }

  /** As the stage trains them: over features that are brought to a scale, for instance. */
  readonly #trainedValues = (name: string): Float32Array => {
    const { state } = this.#options.programs;
    return state.get(state.has(averageName(name)) ? averageName(name) : name);
  };

  #isSaveDue(): boolean {
    return performance.now() - this.#saved > 1000 * this.#run.resources.checkpointSeconds;
  }

  async #save(): Promise<void> {
    await saveCheckpoint(this.#run.folder, this.#options.programs.state, {
      position: this.#position,
      bestWeights: this.#best,
      kernels: this.#run.kernels,
    });
    this.#saved = performance.now();
  }
}

function nothingToChoose({ name }: Stage, method: string): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `an epoch of stage "${name}" of method "${method}" is to be chosen, and its weights make no model yet`,
    expected: "`selected: false` for a stage after which what `predict` uses is not there",
  });
}
