/** Everything that decides what a training run does. Equal specs give equal bytes on processors of one kind. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { resolveSettings } from "../core/settings.ts";
import { columnWords } from "../layouts/column-mapping.ts";
import { preparationShape } from "../layouts/preparation.ts";
import { namesIn, pluginsBehind } from "../plugins/at-hand.ts";
import { resolveAugmentations } from "../views/augmentations.ts";
import { viewUseSchema } from "../views/use-schema.ts";
import type { ResolvedUse } from "../views/view.ts";
import { heldOutSchema } from "./held-out-data.ts";
import { type Selection, selectionRules, selectionSchema } from "./selection.ts";

const positive = z.number().positive();

/** Where a plugin lay is told and decides nothing; there are some, or the key is left out. */
const pluginsSchema = z.array(z.strictObject({ path: z.string().optional(), digest: z.string() })).min(1);

export const runSpecSchema = z.strictObject({
  data: z.strictObject({
    /** A dataset by name, made on the fly… */
    name: z.string().optional(),
    settings: z.record(z.string(), z.unknown()).default({}),
    /** Settings of it that say where files lie, which is told and decides nothing. */
    places: z.record(z.string(), z.unknown()).optional(),
    seed: z.number().int().min(0).default(0),
    /** … or one on disk. */
    path: z.string().optional(),
    /** A folder that `cuelab features extract` has written: features are learnt from, and there are no images. */
    features: z.literal(true).optional(),
    /** Of images on disk: whether they need labels, what columns mean, and how images are made ready. */
    labels: z.enum(["none", "if-any"]).optional(),
    columns: columnWords.optional(),
    ...preparationShape,
    /** What the data is: its content hash, or the generator's version and its sources' digests. */
    identity: z.string(),
    /** Which of its environments are trained on, where it is not its own training split. */
    environments: heldOutSchema.optional(),
  }),
  model: z.strictObject({
    name: z.string(),
    options: z.record(z.string(), z.union([z.number(), z.string()])).default({}),
  }),
  /** What the network begins with, instead of random weights. */
  weights: z
    .strictObject({
      path: z.string().optional(),
      /** SHA-256 of the file. */
      digest: z.string(),
      /** The head begins anew, for other classes than the file's. */
      freshHead: z.boolean().default(false),
    })
    .optional(),
  /** Layers that stay as they are: the first dotted parts of their names, or `backbone` for all but the head. */
  freeze: z.array(z.string().min(1)).min(1).optional(),
  /** How pixels are standardised, where it is not by the training images' own mean and deviation. */
  pixels: z.strictObject({ mean: z.array(z.number()), deviation: z.array(positive) }).optional(),
  method: z
    .strictObject({
      name: z.string().default("erm"),
      /** Of a method whose equal settings give other weights than before; its first version says none. */
      version: z.number().int().min(2).optional(),
      settings: z.record(z.string(), z.unknown()).default({}),
      /** The cues whose labels it is given; for methods that use any, in the dataset's order. */
      explicit: z.array(z.string()).optional(),
    })
    .prefault({}),
  optimiser: z
    .strictObject({
      name: z.enum(["adam", "adamw", "sgd"]).default("adam"),
      rate: positive.default(1e-3),
      weightDecay: z.number().min(0).default(0),
      momentum: z.number().min(0).lt(1).default(0.9),
      nesterov: z.boolean().default(false),
    })
    .prefault({}),
  schedule: z
    .strictObject({
      name: z.enum(["constant", "cosine", "step"]).default("constant"),
      /** Epochs at which the rate is multiplied by `factor`. */
      milestones: z.array(z.number().int().min(1)).default([]),
      factor: positive.default(0.1),
      warmUpSteps: z.number().int().min(0).default(0),
    })
    .prefault({}),
  /** Of a run on features: how its last layer is fitted. */
  lastLayer: z
    .strictObject({
      /** Mean 0 and deviation 1 of each feature over the training images; undone in the layer that is kept. */
      standardise: z.boolean().default(true),
      /** l1·Σ|w| + l2/2·Σw², beside the mean loss. */
      l1: z.number().min(0).default(0),
      l2: z.number().min(0).default(0),
      /** Begins with the network's own last layer. */
      fromHead: z.literal(true).optional(),
      /** The stages that learn the run's problem are solved to their end instead of stepped along. */
      solve: z.literal(true).optional(),
    })
    .optional(),
  clipNorm: positive.optional(),
  averageDecay: z.number().gt(0).lt(1).optional(),
  /** Changes of training images, in the order of application. */
  augment: z.array(viewUseSchema).default([]),
  epochs: z.number().int().min(1).default(10),
  /** Ends after so many steps at the latest, within an epoch if need be. */
  steps: z.number().int().min(1).optional(),
  batchSize: z.number().int().min(1).default(64),
  seed: z.number().int().min(0).default(0),
  /** Which epoch's weights are kept. */
  select: selectionSchema.extend({ by: z.enum(["last", ...selectionRules]).default("last") }).prefault({}),
  /** Rules whose epochs are kept too, beside that one's. */
  alsoSelect: z.array(selectionSchema).min(1).optional(),
  /** Stop after this many epochs without a better one; needs `select` other than last. */
  patience: z.number().int().min(1).optional(),
  /** Steps after which accuracies are measured on all but the training images. */
  measureSteps: z.array(z.number().int().min(1)).min(1).optional(),
  /** Also in each group that the class makes together with these attributes. */
  measureGroups: z.array(z.string()).min(1).optional(),
  /** Accuracies alone: no predictions, network or weights are kept, and nothing is validated between measurements. */
  keep: z.literal("accuracies").optional(),
  /** Where it is computed: devices round differently. */
  device: z.enum(["cpu", "cuda", "webgpu", "auto"]).default("cpu"),
  /** Threads of the runtime: products are cut into other blocks, so rounding depends on it, and the default is fixed. */
  threads: z.number().int().min(1).max(256).default(2),
  /** Code from elsewhere, without which its names mean nothing. */
  plugins: pluginsSchema.optional(),
});

export type RunSpec = Omit<z.output<typeof runSpecSchema>, "augment"> & { augment: ResolvedUse[] };
export type RunSpecInput = z.input<typeof runSpecSchema>;

export function resolveSpec(given: RunSpecInput): RunSpec {
  // An epoch has a step at least: so many epochs never end before the steps do.
  const length = given.steps !== undefined && given.epochs === undefined ? { epochs: given.steps } : {};
  const parsed = resolveSettings(runSpecSchema, { ...given, ...length });
  const spec = withPlugins({ ...parsed, augment: resolveAugmentations(parsed.augment) });
  if (spec.patience !== undefined && spec.select.by === "last") {
    throw new CuelabError({
      kind: "usage",
      what: "patience needs a rule that tells which epoch is better",
      todo: "add --select val-loss or --select val-accuracy",
    });
  }
  if (spec.alsoSelect !== undefined && spec.select.by === "last") {
    throw new CuelabError({
      kind: "usage",
      what: "further rules of selection need a first one, whose epoch becomes the model",
      todo: "say it with --select, such as --select val-worst-group",
    });
  }
  if (spec.keep === "accuracies" && spec.select.by !== "last") {
    throw new CuelabError({
      kind: "usage",
      what: "a run that keeps accuracies alone validates no epochs to choose from",
      todo: "leave the rule of selection or keep away",
    });
  }
  if (spec.select.by === "last" && (spec.select.groups.length > 0 || spec.select.alpha !== undefined)) {
    throw new CuelabError({
      kind: "usage",
      what: "groups and α have no effect where the last epoch is kept",
      todo: "choose a rule with --select, such as val-worst-group, or leave them away",
    });
  }
  checkMilestones(spec.schedule);
  return spec;
}

/** With the plugins that its names come from. */
function withPlugins(spec: RunSpec): RunSpec {
  const plugins = pluginsBehind(
    {
      datasets: [spec.data.name],
      models: [spec.model.name],
      methods: [spec.method.name],
      // Views may use others, and a method may be told which to use.
      views: namesIn([spec.augment, spec.method.settings]),
    },
    spec.plugins,
  );
  return plugins === undefined ? spec : { ...spec, plugins };
}

/** How the epoch is chosen, or undefined where it is the last one. */
export function epochSelection({
  select: { by, ...options },
}: Pick<RunSpec, "select">): Selection | undefined {
  return by === "last" ? undefined : { by, ...options };
}

/** Every rule by which an epoch is kept, that of the model first; none where it is the last epoch. */
export function runSelections(spec: Pick<RunSpec, "select" | "alsoSelect">): Selection[] {
  const main = epochSelection(spec);
  return main === undefined ? [] : [main, ...(spec.alsoSelect ?? [])];
}

/** An option without effect is a mistake that nobody would notice. */
function checkMilestones({ name, milestones }: RunSpec["schedule"]): void {
  if ((name === "step") === milestones.length > 0) return;
  throw new CuelabError({
    kind: "usage",
    what:
      name === "step"
        ? "a step schedule needs the epochs at which the rate drops"
        : `milestones have no effect on a ${name} schedule`,
    todo:
      name === "step"
        ? "add --milestones, such as --milestones 5,8"
        : "add --schedule step, or leave --milestones away",
  });
}

/** How long a run is at most. */
export function lengthOf(
  { epochs, steps = Number.POSITIVE_INFINITY }: Pick<RunSpec, "epochs"> & Partial<Pick<RunSpec, "steps">>,
  stepsPerEpoch: number,
): { steps: number; epochs: number } {
  const all = Math.min(epochs * stepsPerEpoch, steps);
  return { steps: all, epochs: Math.ceil(all / stepsPerEpoch) };
}

/** How a run uses the machine; never part of its outcome. */
export interface RunResources {
  checkpointSeconds: number;
  /** Where finished stages are kept for other runs that begin alike; without it in the run's own folder, while it lasts. */
  stages?: string | undefined;
  /**
   * Whether a run of one stage is kept there as well, for methods that begin with such a run, and what shorter runs would have been
   * where it is measured; by default it is.
   */
  keepsRuns?: boolean | undefined;
  /** Features are in memory up to so many bytes, and read from a file above; by default 2 GB. */
  featureBytes?: number | undefined;
}
