/** What every method in the registry must do in whole runs, through all of its stages; see src/contracts/methods.ts. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../../src/contracts/check.ts";
import { type MethodCheckOptions, methodChecks } from "../../src/contracts/methods.ts";
import { mean, mul } from "../../src/engine/expressions.ts";
import { defineMethod, erm, type Method, meanLoss, methods, once } from "../../src/methods/index.ts";
import { temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();

type Form = Pick<MethodCheckOptions, "settings" | "learns" | "rate" | "epochs">;

/** Known to need more epochs than most. */
const slow = { epochs: 100 };

const readByHead = (settings: Form["settings"]): Form => ({
  settings: { latent: 64, headRate: 0.05, ...settings },
  rate: 0.005,
  ...slow,
});

/** Settings that make a method quick, further forms of it that are methods of their own, and what shows that it has learnt. */
const forms: Record<string, Record<string, Form>> = {
  "last-layer-ensemble": {
    "last-layer-ensemble": {},
    "last-layer-ensemble of one head": {
      settings: { ensemble: false, consistency: "js", consistencyWeight: 1 },
      ...slow,
    },
  },
  eiil: { eiil: { settings: { inferenceSteps: 50 } } },
  debian: { debian: {}, "debian of one layer": { settings: { discoverer: "linear" } } },
  lfmf: { lfmf: {}, "lfmf by failures": { settings: { combine: "largest", second: "failures" } } },
  lnl: { lnl: slow },
  // A hundred epochs are few for three tasks at once.
  "cf-f": { "cf-f": { settings: { counterfactualWeight: 0.05, factualWeight: 0.05 }, ...slow } },
  // Two hundred steps are few for published rates; a thousand wide, the discriminator takes most of the time.
  vae: { vae: readByHead({}) },
  "beta-vae": { "beta-vae": readByHead({ beta: 0.5 }) },
  "factor-vae": { "factor-vae": readByHead({ discriminatorWidth: 16, gamma: 1 }) },
  // A lens as fast as it is unless said hides even a handful from the network.
  lens: { lens: { settings: { lensWidth: 4, lensDepth: 1, lensRate: 1e-3 } } },
  jtt: { jtt: { settings: { upweight: 3 } } },
  // All heads predict together, and each has seen the images of its own domain alone.
  "domain-independent": { "domain-independent": { learns: "loss" } },
  dfr: {
    dfr: { settings: { strengths: [1, 0.1], refits: 2 } },
    // Its last layer is fitted to the validation images.
    "dfr on validation": { settings: { on: "val", strengths: [100], refits: 2 }, learns: "val" },
    "dfr by steps": { settings: { form: "sgd", l2: 0.1, steps: 50, refits: 2, standardise: "sample" } },
  },
};

const cases = methods.entries.flatMap((method: Method) =>
  Object.entries(forms[method.name] ?? { [method.name]: {} }).map(
    ([label, form]) => [label, method, form] as const,
  ),
);

describe.each(cases)("%s", (label, method, form) => {
  const folder = join(root, label.replaceAll(" ", "-"));
  test.each(methodChecks(method, { folder, ...form }).map((check) => [check.name, check] as const))(
    "%s",
    (_, check) => check.run(),
  );
});

describe("what breaks the contract is told", () => {
  let called = 0;
  const broken: [string, Method, RegExp, RegExp][] = [
    [
      "numbers that it keeps to itself",
      defineMethod({
        ...erm,
        stages: once({
          build({ network, batch }) {
            const counted = 1 + 0.1 * called++;
            return { loss: mul(mean(batch.losses(network.logits(batch.inputs))), counted) };
          },
        }),
      }),
      /two runs of one seed[\s\S]*wherever it was killed/,
      /other [\s\S]*weights\.safetensors/,
    ],
    [
      "cues that it does not use",
      { ...erm, supervision: { groups: ["train"] } },
      /labels that its supervision does not name/,
      /told cues, and does not use them/,
    ],
    [
      "a prediction that it does not learn",
      defineMethod({
        ...erm,
        stages: once({ build: meanLoss }),
        predict: ({ network, inputs }) => mul(network.logits(inputs), -1),
      }),
      /by heart/,
      /does not tell a handful/,
    ],
  ];
  test.each(broken)("%s", async (what, method, names, problems) => {
    const told = [];
    for (const check of methodChecks(method, { folder: join(root, what.replaceAll(" ", "-")) })) {
      const { name, problem } = await outcomeOf(check);
      if (problem !== undefined) told.push({ name, problem });
    }
    expect(told.map(({ name }) => name).join("\n")).toMatch(names);
    expect(told.map(({ problem }) => problem).join("\n")).toMatch(problems);
  });
});
