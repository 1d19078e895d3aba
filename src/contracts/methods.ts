/**
 * What every method must keep, through whole runs and whatever stages it has: same seed same bytes, also wherever it was
 * killed; only the labels that it is allowed; a handful of images learnt; a model that says what the run said.
 */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { lookUp } from "../core/look-up.ts";
import { resolveSettings } from "../core/settings.ts";
import { copyFolder } from "../disk/copy-folder.ts";
import { removeFile } from "../disk/remove-file.ts";
import { RuntimeSession, toValue } from "../engine/runtime.ts";
import { type Method, type Supervision, supervisionOf } from "../methods/method.ts";
import { readPredictions } from "../runs/predictions.ts";
import { runFiles } from "../runs/run-folder.ts";
import type { RunResults } from "../training/results.ts";
import type { RunSpecInput } from "../training/run-spec.ts";
import type { EpochRecord } from "../training/train.ts";
import { type Check, must, mustBeClose } from "./check.ts";
import { handful, type Relabelled, relabelled, sourceFor } from "./handful.ts";
import { leftBy, type SmallRunOptions, smallRun, stagesOf } from "./small-run.ts";

export interface MethodCheckOptions {
  /** For runs, which nobody needs afterwards. */
  folder: string;
  /** Settings that must be given, or make it quick. */
  settings?: Readonly<Record<string, unknown>>;
  /**
   * What shows that it has learnt: it tells its training images, which is the rule, or those of validation, which its last
   * stage is fitted to, or its loss has fallen to a tenth, where its prediction is not what it was trained with.
   */
  learns?: "train" | "val" | "loss";
  /** At which it learns them, where it is not the usual one. */
  rate?: number;
  /** In which it learns them, where it is known to be slow. */
  epochs?: number;
  signal?: AbortSignal;
}

/** So many moments of a run are killed at, spread over all that there are. */
const mostKills = 8;
/** In which a handful of images is learnt by heart: most methods need no more than the first. */
const heartEpochs = [40, 100];

export function methodChecks(method: Method, options: MethodCheckOptions): Check[] {
  const runs = new MethodRuns(method, options);
  return [
    { name: "its presets and search ranges are settings that it takes", run: () => checkWords(method) },
    {
      name: "it learns a handful of images by heart, and its numbers are numbers",
      run: () => checkLearning(runs, options.learns ?? "train"),
    },
    {
      name: "two runs of one seed give the same bytes",
      run: async () => {
        const { out } = await runs.calm();
        await runs.run("again");
        await mustBeSame(runs.at("again"), out, "two runs of one seed give other weights", {
          todo: "draw random numbers from known.random(…) and random(…) alone, and read nothing but what is handed over",
        });
      },
    },
    { name: "wherever it was killed, it ends with the same bytes", run: () => checkKills(runs) },
    {
      name: "it sees no labels that its supervision does not name, in any stage",
      run: () => checkLabels(runs),
    },
    { name: "the exported model says of each image what the run said", run: () => checkExport(runs) },
  ];
}

function checkWords({ settings, search, presets }: Method): void {
  for (const preset of Object.values(presets)) resolveSettings(settings, preset.settings);
  for (const [setting, values] of Object.entries(search))
    for (const value of values!) resolveSettings(settings, { [setting]: value });
}

/** An undisturbed run, and what a kill would have left at some of its moments, by what happened there. */
interface Calm {
  out: string;
  moments: ReadonlyMap<string, string>;
}

class MethodRuns {
  readonly supervision: Supervision;
  readonly #method: Method;
  readonly #options: MethodCheckOptions;
  #calm: Promise<Calm> | undefined;

  constructor(method: Method, options: MethodCheckOptions) {
    this.#method = method;
    this.#options = options;
    this.supervision = supervisionOf(method, resolveSettings(method.settings, options.settings ?? {}));
  }

  at(...names: string[]): string {
    return join(this.#options.folder, this.#method.name, ...names);
  }

  data(): Promise<Dataset> {
    return handful(this.supervision);
  }

  get learningRate(): number {
    return this.#options.rate ?? sourceFor(this.supervision).rate;
  }

  get heartEpochs(): readonly number[] {
    const { epochs } = this.#options;
    return epochs === undefined ? heartEpochs : [epochs];
  }

  /** In the folder of this name, or goes on there. */
  async run(
    name: string,
    { more = {}, dataset, ...options }: { more?: Partial<RunSpecInput> } & Partial<SmallRunOptions> = {},
  ): Promise<RunResults> {
    const { signal } = this.#options;
    const results = await smallRun(this.#spec(more), {
      out: this.at(name),
      dataset: dataset ?? (await this.data()),
      method: this.#method,
      ...options,
      hooks: { shouldStop: () => signal?.aborted ?? false, ...options.hooks },
    });
    signal?.throwIfAborted();
    return results!;
  }

  calm(): Promise<Calm> {
    this.#calm ??= this.#undisturbed();
    return this.#calm;
  }

  async #undisturbed(): Promise<Calm> {
    const moments = new Map<string, string>();
    const keep = (what: string) => {
      if (moments.has(what)) return;
      moments.set(what, `left-${moments.size}`);
      leftBy(this.at("calm"), this.at(lookUp(moments, what)));
    };
    await this.run("calm", {
      // Every step is saved: the less a moment is like the one before.
      checkpointSeconds: 0,
      hooks: {
        onProgress: ({ stage = "train", epoch, step }) => {
          if (step === 2 && epoch < 3) keep(`within ${stage}, epoch ${epoch}`);
        },
        onPhase: (phase) => {
          if (/^(stage|evaluating)/.test(phase)) keep(phase);
        },
      },
    });
    return { out: this.at("calm"), moments };
  }

  #spec(more: Partial<RunSpecInput>): RunSpecInput {
    const { name, cue } = sourceFor(this.supervision);
    return {
      data: { name, identity: "contract" },
      model: { name: "mlp", options: { width: 16 } },
      method: {
        name: this.#method.name,
        settings: { ...this.#options.settings },
        ...(this.supervision.groups !== undefined && { explicit: [cue] }),
      },
      optimiser: { rate: 0.01 },
      batchSize: 8,
      epochs: 3,
      seed: 3,
      threads: 1,
      ...more,
    };
  }
}

type Learns = NonNullable<MethodCheckOptions["learns"]>;

async function checkLearning(runs: MethodRuns, learns: Learns): Promise<void> {
  let missed: Missed | undefined;
  for (const epochs of runs.heartEpochs) {
    missed = await missedAfter(epochs, runs, learns);
    if (missed === undefined) return;
  }
  const { what, ...parts } = missed!;
  must(false, what, parts);
}

interface Missed {
  what: string;
  expected: string;
  got: string;
}

/** What it has not learnt by then. */
async function missedAfter(epochs: number, runs: MethodRuns, learns: Learns): Promise<Missed | undefined> {
  const records: EpochRecord[] = [];
  const { accuracy } = await runs.run(`heart-${epochs}`, {
    // Without validation, which would take longer than the steps.
    more: { epochs, optimiser: { rate: runs.learningRate }, keep: "accuracies" },
    hooks: { onEpoch: (record) => void records.push(record) },
  });
  for (const { stage, epoch, trainLoss } of records)
    must(Number.isFinite(trainLoss), "its loss is no number", {
      where: `stage "${stage}", epoch ${epoch}`,
      got: String(trainLoss),
    });
  if (learns === "loss") {
    const [first, last] = [records[0]!.trainLoss, records.at(-1)!.trainLoss];
    if (last < 0.1 * first) return undefined;
    return { what: "its loss does not fall", expected: `a tenth of ${first}`, got: String(last) };
  }
  // The test images are those of training.
  const slice = learns === "train" ? "test" : "val";
  const reached = accuracy.find((found) => found.slice === slice)?.accuracy;
  if (reached === 1) return undefined;
  const what = "it does not tell a handful of images that it was trained on";
  return { what, expected: "all of them", got: String(reached) };
}

async function checkKills(runs: MethodRuns): Promise<void> {
  const { out, moments } = await runs.calm();
  must(!(await readdir(out)).includes("stages"), "what stages have left is still there");
  const todo =
    "keep what lives from step to step in state(…); stages may depend on nothing but what they are handed";
  const kills = [...spread([...moments], mostKills), ...(await furtherKills(runs, [...moments]))];
  for (const [what, name] of kills) {
    await runs.run(name);
    await mustBeSame(runs.at(name), out, "a run that was killed ends elsewhere", { where: what, todo });
  }
}

/** So many of a list, the first and the last among them. */
function spread<Value>(list: readonly Value[], most: number): Value[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]!);
}

type Moment = readonly [what: string, folder: string];

/** Moments between two writes, which no hook is called at. */
async function furtherKills(runs: MethodRuns, moments: readonly Moment[]): Promise<Moment[]> {
  const found: Moment[] = [];
  // All was written but the manifest; what it would have gone on from is still there.
  copyFolder(runs.at(moments.at(-1)![1]), runs.at("unvouched"));
  copyFolder(runs.at("calm"), runs.at("unvouched"), { except: (path) => path.endsWith(runFiles.manifest) });
  found.push(["before the manifest", "unvouched"]);
  const second = moments.findIndex(([what]) => what.startsWith("stage 2: "));
  if (second < 1) return found;
  // A stage and perhaps its outputs are stored, and the checkpoint does not know yet.
  for (const outputs of ["stored", "lost"]) {
    const name = `outputs-${outputs}`;
    copyFolder(runs.at(moments[second - 1]![1]), runs.at(name));
    copyFolder(stagesOf(runs.at(moments[second]![1])), stagesOf(runs.at(name)));
    if (outputs === "lost")
      for (const file of await readdir(stagesOf(runs.at(name))))
        if (file.split(".").length === 3) await removeFile(join(stagesOf(runs.at(name)), file));
    found.push([`outputs of the first stage ${outputs}`, name]);
  }
  return found;
}

async function checkLabels(runs: MethodRuns): Promise<void> {
  const { groups = [], trainsOnVal } = runs.supervision;
  const dataset = await runs.data();
  const weightsOf = (out: string) => readFile(join(out, runFiles.model));
  const told = await weightsOf((await runs.calm()).out);
  const isSame = async (name: string, kinds: readonly Relabelled[]) => {
    await runs.run(name, { dataset: relabelled(dataset, kinds) });
    return (await weightsOf(runs.at(name))).equals(told);
  };
  const untold: Relabelled[] = [
    ...(["train", "val"] as const).flatMap((split) =>
      groups.includes(split) ? [] : [{ split, what: "cues" as const }],
    ),
    ...(trainsOnVal ? [] : [{ split: "val", what: "classes" } as const]),
    { split: "test", what: "cues" },
    { split: "test", what: "classes" },
  ];
  if (await isSame("all-untold", untold)) {
    if (groups.includes("train"))
      must(
        !(await isSame("told", [{ split: "train", what: "cues" }])),
        "it is told cues, and does not use them",
        {
          todo: "leave `groups` out of its supervision",
        },
      );
    return;
  }
  // Which of them it was is looked for only now.
  const seen: string[] = [];
  for (const kind of untold)
    if (!(await isSame(`${kind.what}-of-${kind.split}`, [kind]))) seen.push(`${kind.what} of ${kind.split}`);
  must(false, "other labels than its supervision names give other weights", {
    got: seen.join(", ") || "several kinds together",
  });
}

async function checkExport(runs: MethodRuns): Promise<void> {
  const { out } = await runs.calm();
  const { images, classNames } = await runs.data();
  const { indices, logits } = await readPredictions(
    join(out, runFiles.predictions),
    classNames.length,
    () => true,
  );
  const pixels = [];
  for (const index of indices) pixels.push((await images.pixels(index)).data);
  const { height, width, channels } = images.shape!;
  const shape = [indices.length, height, width, channels];
  const session = await RuntimeSession.open(await readFile(join(out, runFiles.model)));
  try {
    const fed = toValue(Uint8Array.from(Buffer.concat(pixels)), shape, "byte");
    const { data } = await session.result({ images: fed }, "logits");
    // Sums of float32 in another order.
    mustBeClose(data as Float32Array, logits, 1e-4, "the exported model gives other logits than the run");
  } finally {
    await session.close();
  }
}

/** Every file of a finished run. */
async function mustBeSame(
  found: string,
  expected: string,
  what: string,
  parts: { where?: string; todo: string },
): Promise<void> {
  const [a, b] = [await digests(found), await digests(expected)];
  const names = [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
  must(names.length === 0, what, { ...parts, got: `other ${names.join(", ")}` });
}

async function digests(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) found.set(entry.name, "a folder");
    else {
      const bytes = await readFile(join(folder, entry.name));
      found.set(entry.name, createHash("sha256").update(bytes).digest("hex"));
    }
  }
  return found;
}
