/** Nothing that people write in a spec is dropped: not below the first level, not in another program's words. */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { expectError } from "../../test/helpers/errors.ts";
import { datasets } from "../datasets/index.ts";
import { methods } from "../methods/index.ts";
import { checkSweep } from "../sweeps/drive-sweep.ts";
import { parseSweep, sweepSchema } from "../sweeps/sweep-file.ts";
import { views } from "../views/index.ts";
import { DataBook } from "./data-book.ts";
import { resolveSpec, runSpecSchema } from "./run-spec.ts";
import { runWords, specFromWords } from "./spec-words.ts";

const book = new DataBook();
const data = { name: "colored-mnist", settings: { trainPerEnvironment: 20, size: 14 } };
const words = { data, model: { name: "logistic-regression" } };
const spec = (more: object) => specFromWords({ ...words, ...more }, book);

describe("every object is strict", () => {
  const schemas: Record<string, z.ZodObject> = { runSpecSchema, runWords, sweepSchema };
  for (const { name, settings } of [...datasets.entries, ...methods.entries, ...views.entries])
    schemas[name] = z.strictObject(settings.shape);
  test.each(Object.entries(schemas))("%s", (_name, schema) => {
    expect(lax(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))).toEqual([]);
  });
});

/** Paths of objects with keys of their own that would take others too. */
function lax(schema: unknown, path = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties, additionalProperties } = schema as {
    properties?: object;
    additionalProperties?: unknown;
  };
  // An entry of a sweep, or of its datasets, is laid over its base, and is a spec only then.
  const isLax =
    properties !== undefined &&
    additionalProperties !== false &&
    !/^\/properties\/(runs|datasets)\/items$/.test(path);
  return [
    ...(isLax ? [path] : []),
    ...Object.entries(schema).flatMap(([key, value]) => lax(value, `${path}/${key}`)),
  ];
}

test.each([
  [{ optimiser: { lr: 0.1 } }, 'unknown setting "optimiser.lr"', "optimiser.rate"],
  [{ optimiser: { wd: 3 } }, 'unknown setting "optimiser.wd"', "optimiser.weightDecay"],
  [{ optimiser: { weight_decay: 3 } }, 'unknown setting "optimiser.weight_decay"', "optimiser.weightDecay"],
  [{ lr: 0.1 }, 'unknown setting "lr"', "optimiser.rate"],
  [{ learning_rate: 0.1 }, 'unknown setting "learning_rate"', "optimiser.rate"],
  [{ weight_decay: 0.1 }, 'unknown setting "weight_decay"', "optimiser.weightDecay"],
  [{ momentum: 0.9 }, 'unknown setting "momentum"', "optimiser.momentum"],
  [{ bs: 8 }, 'unknown setting "bs"', "batchSize"],
  [{ batch_size: 8 }, 'unknown setting "batch_size"', "batchSize"],
  [{ max_epochs: 8 }, 'unknown setting "max_epochs"', "epochs"],
  [{ optimizer: { name: "sgd" } }, 'unknown setting "optimizer"', "optimiser"],
  [{ scheduler: "cosine" }, 'unknown setting "scheduler"', "schedule"],
  [{ schedule: { type: "cosine" } }, 'unknown setting "schedule.type"', "schedule.name"],
  [{ schedule: { milestoens: [1] } }, 'unknown setting "schedule.milestoens"', "schedule.milestones"],
  [{ select: { rule: "val-loss" } }, 'unknown setting "select.rule"', "select.by"],
  [{ backbone: "mlp" }, 'unknown setting "backbone"', "model"],
  [{ method: { setings: {} } }, 'unknown setting "method.setings"', "method.settings"],
  [{ method: { hparams: {} } }, 'unknown setting "method.hparams"', "method.settings"],
  [{ model: { name: "mlp", settings: { width: 4 } } }, 'unknown setting "model.settings"', "model.options"],
  [{ model: { name: "mlp", options: { wdth: 4 } } }, 'model "mlp" has no option wdth', "width"],
  [{ data: { ...data, setings: {} } }, 'unknown setting "data.setings"', "data.settings"],
  [{ data: { root: "x" } }, 'unknown setting "data.root"', "data.path"],
  [
    { data: { ...data, settings: { train_per_environment: 3 } } },
    "train_per_environment",
    "trainPerEnvironment",
  ],
  [
    { data: { ...data, environments: { test_env: 0.1 } } },
    "data.environments.test_env",
    "data.environments.holdOut",
  ],
  [{ method: { name: "group-dro", settings: { step_size: 1 } } }, 'unknown setting "step_size"', "stepSize"],
  [{ method: { name: "group-dro", preset: "biased-mnits" } }, "has no preset", "biased-mnist"],
  [{ method: { name: "group-dro", explicit: ["colr"] } }, 'no attribute "colr"', "color"],
  [{ weights: { file: "x" } }, 'unknown setting "weights.file"', "weights.path"],
  [{ augment: ["flp"] }, 'unknown view "flp"', "flip"],
  [{ augment: [{ view: "flp" }] }, 'unknown view "flp"', "flip"],
  [{ augment: [{ name: "flip" }] }, 'unknown setting "augment.0.name"', "augment.0.view"],
  [{ augment: [{ view: "mixup", settings: { alpha: 1 } }] }, "augment.0.settings", "augment.0.with"],
  [{ augment: [{ view: "mixup", with: { alfa: 1 } }] }, 'unknown setting "alfa"', "alpha"],
  [{ augment: [{ view: "erase", with: { p: 1 } }] }, 'unknown setting "p"', "probability"],
  [{ method: { name: "erm", preset: "urbancars" } }, "has no preset", "urban-cars"],
])("%j is answered with our words", async (more, what, ours) => {
  await expectRefused(spec(more), what, `did you mean "${ours}"?`);
});

test("a spec of one's own is as strict", () => {
  const given = { data: { identity: "x" }, model: { name: "mlp" }, optimiser: { lr: 1 } } as never;
  expectError(() => resolveSpec(given), "usage", 'unknown setting "optimiser.lr"', '"optimiser.rate"');
});

async function expectRefused(action: Promise<unknown>, ...texts: string[]): Promise<void> {
  const outcome = await action.catch((cause: unknown) => cause);
  expectError(
    () => {
      throw outcome;
    },
    "usage",
    ...texts,
  );
}

const head = `name: s
base: { data: { name: colored-mnist, settings: { trainPerEnvironment: 20, size: 14 } }, model: { name: logistic-regression } }
`;
const checked = async (text: string) => checkSweep(await parseSweep(head + text, "s.yaml"), book);
const grid = (text: string) => `search: { stages: [{ grid: { ${text} } }], select: { by: val-loss } }`;

test.each([
  [grid("optimiser.lr: [0.1, 0.2]"), 'unknown setting "optimiser.lr"', '"optimiser.rate"'],
  ["sed: 3", 'unknown setting "sed"', '"seeds"'],
  ["n_seeds: 3", 'unknown setting "n_seeds"', '"seeds"'],
  [
    "search: { stages: [{ gird: {} }], select: { by: val-loss } }",
    'unknown setting "search.stages.0.gird"',
    "grid",
  ],
  [
    "search: { stages: [{ random: { epochs: { uniform: [1, 2] } }, count: 2 }], select: { by: val-loss } }",
    "uniform",
    "between",
  ],
  [
    "search: { stages: [{ random: { epochs: { of: [1, 2] } }, cuont: 2 }], select: { by: val-loss } }",
    "cuont",
    "count",
  ],
  [
    "search: { stages: [{ own: true }], select: { rule: val-loss } }",
    'unknown setting "search.select.rule"',
    "by",
  ],
  ["search: { stages: [{ own: true }], select: { by: val-los } }", "val-los", "val-loss"],
  [grid("seed: [0, 1]"), "stand in `seeds`"],
  ["runs: [{ label: a, optimiser: { lr: 1 } }]", 'unknown setting "optimiser.lr"', 'entry "a" of the sweep'],
])("a sweep with %s is refused", async (text, ...parts) => {
  await expectRefused(checked(text), ...parts);
});

test.each([
  [
    "a number twice",
    grid("optimiser.rate: [0.1, 1e-1]"),
    "optimiser.rate=0.1 and optimiser.rate=0.1",
    "one number",
  ],
  [
    "a list in another order",
    grid("method.name: [group-dro], method.explicit: [[color, digit], [digit, color]]"),
    'comes to ["color","digit"] in both',
  ],
  [
    "a default written out",
    "runs: [{ label: a }, { label: b, optimiser: { rate: 0.001 } }]",
    'entries "a" and "b"',
    "not given in one and 0.001 in the other, and comes to 0.001 in both",
  ],
  [
    "entries that the search makes equal",
    `runs: [{ label: a, epochs: 1 }, { label: b, epochs: 2 }]\n${grid("epochs: [3, 4]")}`,
    'entries "a" and "b"',
  ],
])("equal runs are refused: %s", async (_name, text, ...parts) => {
  await expectRefused(checked(text), ...parts);
});

test("chance may draw a point twice", async () => {
  const random =
    "search: { stages: [{ random: { batchSize: { of: [8] } }, count: 2 }], select: { by: val-loss } }";
  await checked(random);
});
