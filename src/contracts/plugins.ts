/** All that a plugin brings, put to the contracts of its kinds. */

import { parseAssignments } from "../core/settings.ts";
import type { PluginAtHand, PluginKind } from "../plugins/at-hand.ts";
import { type Check, type CheckResult, outcomeOf } from "./check.ts";

export interface PluginCheckOptions {
  /** For data and runs, which nobody needs afterwards. */
  folder: string;
  /** Settings of a dataset or method that must be given, as `key=value`. */
  set: readonly string[];
  signal: AbortSignal;
}

export interface PluginCheckResult extends CheckResult {
  kind: PluginKind;
  entry: string;
}

/** One result after the other, as they come. */
export async function* checkEntries(
  { brings }: PluginAtHand,
  options: PluginCheckOptions,
): AsyncGenerator<PluginCheckResult> {
  for (const [kind, names] of Object.entries(brings) as [PluginKind, readonly string[]][]) {
    for (const entry of names) {
      for (const check of await checksOf[kind](entry, options)) {
        options.signal.throwIfAborted();
        yield { kind, entry, ...(await outcomeOf(check)) };
      }
    }
  }
}

type ChecksOf = (name: string, options: PluginCheckOptions) => Promise<Check[]>;

/** Each loaded when it is needed: those of methods bring half of the program. */
const checksOf: Readonly<Record<PluginKind, ChecksOf>> = {
  methods: async (name, { set, ...options }) => {
    const [{ methods }, { methodChecks }] = await Promise.all([
      import("../methods/index.ts"),
      import("./methods.ts"),
    ]);
    const method = methods.get(name);
    return methodChecks(method, { ...options, settings: parseAssignments(method.settings, set) });
  },
  datasets: async (name, { set }) => {
    const [{ datasets }, { datasetChecks }] = await Promise.all([
      import("../datasets/index.ts"),
      import("./datasets.ts"),
    ]);
    return datasetChecks(datasets.get(name), { set });
  },
  models: async (name) => {
    const [{ models }, { networkChecks }] = await Promise.all([
      import("../models/index.ts"),
      import("./networks.ts"),
    ]);
    return networkChecks(models.get(name));
  },
  metrics: async (name) => {
    const [{ metrics }, { metricChecks }] = await Promise.all([
      import("../metrics/index.ts"),
      import("./metrics.ts"),
    ]);
    return metricChecks(metrics.get(name));
  },
  views: async (name) => {
    const [{ views }, { viewChecks }] = await Promise.all([
      import("../views/index.ts"),
      import("./views.ts"),
    ]);
    return viewChecks(views.get(name));
  },
  studies: async (name) => {
    const [{ studies }, { studyChecks }] = await Promise.all([
      import("../studies/index.ts"),
      import("./studies.ts"),
    ]);
    return studyChecks(studies.get(name));
  },
};
