/** All that a plugin brings, put to the contracts of its kinds. */

import { audits } from "../audits/index.ts";
import { parseAssignments } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { withScratchFolder } from "../disk/scratch-folder.ts";
import { methods } from "../methods/index.ts";
import { metrics } from "../metrics/index.ts";
import { models } from "../models/index.ts";
import type { PluginAtHand, PluginKind } from "../plugins/at-hand.ts";
import { studies } from "../studies/index.ts";
import { views } from "../views/index.ts";
import { auditChecks } from "./audits.ts";
import { type Check, type CheckResult, outcomeOf } from "./check.ts";
import { datasetChecks } from "./datasets.ts";
import { methodChecks } from "./methods.ts";
import { metricChecks } from "./metrics.ts";
import { networkChecks } from "./networks.ts";
import { studyChecks } from "./studies.ts";
import { viewChecks } from "./views.ts";

export interface PluginCheckOptions {
  /** Settings of a dataset or method that must be given, as `key=value`. */
  set: readonly string[];
  signal: AbortSignal;
  /** Called with one result after the other, as they come. */
  onResult: (result: PluginCheckResult) => void;
}

export interface PluginCheckResult extends CheckResult {
  kind: PluginKind;
  entry: string;
}

export async function checkEntries(
  { brings }: PluginAtHand,
  { set, signal, onResult }: PluginCheckOptions,
): Promise<void> {
  await withScratchFolder(async (folder) => {
    for (const [kind, names] of Object.entries(brings) as [PluginKind, readonly string[]][]) {
      for (const entry of names) {
        for (const check of checksOf[kind](entry, { set, signal, folder })) {
          signal.throwIfAborted();
          onResult({ kind, entry, ...(await outcomeOf(check)) });
        }
      }
    }
  });
}

interface Given extends Pick<PluginCheckOptions, "set" | "signal"> {
  folder: string;
}

const checksOf: Readonly<Record<PluginKind, (name: string, given: Given) => Check[]>> = {
  methods: (name, { set, ...given }) => {
    const method = methods.get(name);
    return methodChecks(method, { ...given, settings: parseAssignments(method.settings, set) });
  },
  datasets: (name, { set }) => datasetChecks(datasets.get(name), { set }),
  models: (name) => networkChecks(models.get(name)),
  metrics: (name) => metricChecks(metrics.get(name)),
  views: (name) => viewChecks(views.get(name)),
  audits: (name, { set, folder }) => auditChecks(audits.get(name), { set, folder }),
  studies: (name) => studyChecks(studies.get(name)),
};
