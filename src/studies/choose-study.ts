/** Which study was asked for, how large, which parts of it, and where it goes. */

import { join, resolve } from "node:path";
import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { parseAssignments } from "../core/settings.ts";
import { quoted } from "../core/shell-words.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { studies } from "./index.ts";
import { kindOf } from "./jobs/index.ts";
import type { StudyJob } from "./jobs/kinds.ts";
import { givenNames, type PresetName, type Study } from "./study.ts";

export interface StudyChoice {
  preset: PresetName;
  out?: string;
  parts?: string[];
  set: string[];
}

export interface ChosenStudy {
  study: Study;
  preset: PresetName;
  /** Those that were asked for, and those that they need. */
  jobs: readonly StudyJob[];
  folder: string;
  /** The same choice in words that can be typed. */
  words: string;
}

export async function chooseStudy(
  name: string,
  { preset, out, parts, set }: StudyChoice,
): Promise<ChosenStudy> {
  const study = studies.get(name);
  const given = givenOf(study, preset, set);
  const jobs = study.jobs(preset, given);
  const known = jobs.map((job) => job.name);
  const wrong = parts?.find((part) => !known.includes(part));
  if (wrong !== undefined) {
    throw new CuelabError({
      kind: "usage",
      what: `the study has no part "${wrong}"`,
      where: "--parts",
      expected: `one of: ${known.join(", ")}`,
      ...didYouMean(wrong, known),
    });
  }
  const folder = resolve(out ?? join("studies", `${study.name}-${preset}`));
  const words = [
    `${study.name} --preset ${preset}`,
    ...(parts ? [`--parts ${parts.join(",")}`] : []),
    ...set.map((assignment) => `--set ${quoted(assignment)}`),
    ...(out === undefined ? [] : [`--out ${quoted(out)}`]),
  ].join(" ");
  await refuseOtherStudy(folder, study.name, preset);
  return { study, preset, folder, words, jobs: withNeeds(jobs, parts ?? known) };
}

/** In their order, with whatever the chosen ones are asked of. */
function withNeeds(jobs: readonly StudyJob[], names: readonly string[]): StudyJob[] {
  const chosen = new Set(names);
  for (const name of chosen) {
    const job = jobs.find((each) => each.name === name);
    if (job !== undefined) for (const need of kindOf(job).needs(job)) chosen.add(need);
  }
  return jobs.filter(({ name }) => chosen.has(name));
}

/** A folder belongs to one study and preset: another's report would replace it. */
async function refuseOtherStudy(folder: string, name: string, preset: PresetName): Promise<void> {
  const path = join(folder, "study.json");
  const text = await readPlainText(path).catch(() => undefined);
  if (text === undefined) return;
  const isSame = (found: { study?: unknown; preset?: unknown }) =>
    found.study === name && found.preset === preset;
  if (isSame(parsedOr(text, {}))) return;
  throw new CuelabError({
    kind: "usage",
    what: "the folder holds something else, or another study or preset",
    where: path,
    expected: `study ${name}, preset ${preset}`,
    todo: "give another --out",
  });
}

function parsedOr<Value>(text: string, otherwise: Value): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return otherwise;
  }
}

function givenOf(study: Study, preset: PresetName, set: readonly string[]): Record<string, string> {
  const { name, needs, offers = {}, takes = {} } = study;
  const known = Object.keys({ ...needs, ...offers, ...takes });
  if (set.length > 0 && known.length === 0)
    throw new CuelabError({
      kind: "usage",
      what: `the study ${name} takes no settings`,
      got: `--set ${set[0]}`,
    });
  const schema = z.object(Object.fromEntries(known.map((key) => [key, z.string().optional()])));
  const given = parseAssignments(schema, set) as Record<string, string>;
  const asked = givenNames(study, preset);
  const idle = Object.keys(given).find((key) => given[key] !== undefined && !asked.includes(key));
  if (idle !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `the preset ${preset} of the study ${name} takes no "${idle}"`,
      expected: `--preset ${takes[idle]!.presets.join(" or ")}`,
    });
  for (const key of asked) {
    const what = needs[key] ?? (takes[key]?.required === true ? takes[key].what : undefined);
    if (given[key] !== undefined || what === undefined) continue;
    throw new CuelabError({
      kind: "usage",
      what: `the study ${name} needs "${key}"`,
      expected: what,
      todo: `cuelab study run ${name}${key in needs ? "" : ` --preset ${preset}`} --set ${key}=…`,
    });
  }
  return given;
}
