/** A run's method as its spec holds it: every setting written out, and the cues that it is told. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { resolveSettings } from "../core/settings.ts";
import { openDataset } from "../formats/open-dataset.ts";
import type { Method, Preset } from "../methods/method.ts";
import { chooseExplicit } from "./groups.ts";
import type { RunSpec } from "./run-spec.ts";
import { makeTrainingData } from "./training-data.ts";

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
  data: RunSpec["data"],
): Promise<RunSpec["method"]> {
  const resolved = resolveSettings(method.settings, { ...preset?.settings, ...settings });
  // Data are opened once more only for methods that are told of them.
  if (method.supervision !== "train-groups" && explicit === undefined) {
    return { name: method.name, settings: resolved };
  }
  const chosen = chooseExplicit(method, explicit, { attributes: await attributesOf(data) });
  return { name: method.name, settings: resolved, ...(chosen && { explicit: chosen }) };
}

async function attributesOf(data: RunSpec["data"]): Promise<Dataset["attributes"]> {
  if (data.path === undefined) return (await makeTrainingData(data)).attributes;
  const { dataset } = await openDataset(data.path);
  await dataset.images.close?.();
  return dataset.attributes;
}

/** What a paper trained the method with; undefined where none is asked for. */
export function presetOf({ name, presets }: Method, preset: string | undefined): Preset | undefined {
  if (preset === undefined) return undefined;
  if (Object.hasOwn(presets, preset)) return presets[preset];
  throw new CuelabError({
    kind: "usage",
    what: `method "${name}" has no preset "${preset}"`,
    expected: `one of: ${Object.keys(presets).join(", ") || "none"}`,
  });
}
