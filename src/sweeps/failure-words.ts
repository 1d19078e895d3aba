/** Why a run of a sweep failed, with advice in the words of the sweep's file: options of `train` are none of it. */

import { CuelabError, type ErrorParts } from "../core/errors.ts";

/** Longer names first where one is the beginning of another. */
const keys: readonly (readonly [option: RegExp, key: string])[] = [
  [/--select-groups\b/g, "select.groups"],
  [/--select-alpha\b/g, "select.alpha"],
  [/--explicit ([\w,-]+)/g, "method.explicit: [$1]"],
  [/--explicit\b/g, "method.explicit"],
  [/--method-set (\w+)=/g, "method.settings.$1: "],
  [/--warm-up (\d+)/g, "schedule.warmUpSteps: $1"],
  [/--warm-up\b/g, "schedule.warmUpSteps"],
  [/--weight-decay\b/g, "optimiser.weightDecay"],
  [/--batch-size (\d+)/g, "batchSize: $1"],
  [/--batch-size\b/g, "batchSize"],
  [/--optimiser (\w+)/g, "optimiser.name: $1"],
  [/--select ([\w-]+)/g, "select.by: $1"],
  [/--select\b/g, "select.by"],
  [/--clip (\d+)/g, "clipNorm: $1"],
  [/--clip\b/g, "clipNorm"],
  [/--lr ([\d.]+)/g, "optimiser.rate: $1"],
  [/--lr\b/g, "optimiser.rate"],
  [/--epochs\b/g, "epochs"],
  [
    /(, or |; then |, and )?start (the run )?over with --force/g,
    "$1remove the run's folder and give the command again",
  ],
];

export function failureWords(error: Error | undefined): string {
  if (!(error instanceof CuelabError)) return error?.message ?? "unknown";
  return new CuelabError(inSweepWords(error.parts)).message;
}

export function inSweepWords(parts: ErrorParts): ErrorParts {
  const { todo } = parts;
  if (todo === undefined) return parts;
  // A spec that is changed is another run, with a folder of its own.
  const advice = keys
    .reduce((text, [option, key]) => text.replaceAll(option, key), todo)
    .replace(/; then remove the run's folder and give the command again$/, ", in the sweep's file");
  return { ...parts, todo: advice };
}
