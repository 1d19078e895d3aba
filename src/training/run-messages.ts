/** What the parent and the training process say to each other. */

import type { ErrorParts } from "../core/errors.ts";
import type { PluginCode } from "../plugins/plugin-code.ts";
import type { RunOrigin } from "../runs/run-log.ts";
import type { RunResults } from "./results.ts";
import type { RunResources, RunSpec } from "./run-spec.ts";
import type { EpochRecord, EvaluationProgress, TrainingProgress } from "./train.ts";

export type ToChild =
  | {
      type: "start";
      spec: RunSpec;
      resources: RunResources;
      out: string;
      force: boolean;
      origin: RunOrigin;
      plugins: readonly PluginCode[];
    }
  | { type: "stop" };

export type FromChild =
  | { type: "progress"; progress: TrainingProgress }
  | { type: "evaluation"; progress: EvaluationProgress }
  | { type: "epoch"; record: EpochRecord }
  | { type: "phase"; phase: string }
  | { type: "done"; results: RunResults; trained: boolean }
  | { type: "stopped" }
  | { type: "failed"; parts?: Omit<ErrorParts, "cause">; stack?: string };
