/** A run's method as its spec holds it: every setting written out, and the cues that it is told. */

import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { resolveSettings } from "../core/settings.ts";
import { type Method, type Preset, supervisionOf } from "../methods/method.ts";
import type { DataHandle } from "./data-book.ts";
import { chooseExplicit } from "./groups.ts";
import type { RunSpec } from "./run-spec.ts";

export interface MethodChoice {
  /** Win over those of the preset. */
  settings: Readonly<Record<string, unknown>>;
  preset?: Preset | undefined;
  /** Names of cues; may be left out where the dataset has only one. */
  explicit?: readonly string[] | undefined;
}

export async function chooseMethod(
  method: Method,
  { settings, preset, explicit }: MethodChoice,
  data: DataHandle,
): Promise<RunSpec["method"]> {
  const resolved = resolveSettings(method.settings, { ...preset?.settings, ...settings });
  const { name } = method;
  const version = method.version > 1 ? { version: method.version } : {};
  const supervision = supervisionOf(method, resolved);
  if (supervision.groups === undefined && explicit === undefined)
    return { name, ...version, settings: resolved };
  const chosen = chooseExplicit({ name, supervision }, explicit, await data.columns());
  return { name, ...version, settings: resolved, ...(chosen && { explicit: chosen }) };
}

/** Whether it may be told of cues at all, with these settings. */
export function takesCues(method: Method, { settings, preset }: MethodChoice): boolean {
  const { groups = [] } = supervisionOf(
    method,
    resolveSettings(method.settings, { ...preset?.settings, ...settings }),
  );
  return groups.length > 0;
}

/** What a paper trained the method with; undefined where none is asked for. */
export function presetOf({ name, presets }: Method, preset: string | undefined): Preset | undefined {
  if (preset === undefined) return undefined;
  if (Object.hasOwn(presets, preset)) return presets[preset];
  throw new CuelabError({
    kind: "usage",
    what: `method "${name}" has no preset "${preset}"`,
    expected: `one of: ${Object.keys(presets).join(", ") || "none"}`,
    ...didYouMean(preset, Object.keys(presets)),
  });
}
