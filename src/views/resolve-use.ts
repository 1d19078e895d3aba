/** A view as it was asked for becomes one with every setting written out. */

import { CuelabError } from "../core/errors.ts";
import { resolveSettings } from "../core/settings.ts";
import { views } from "./index.ts";
import { isMixing, type ResolvedUse, type View, type ViewUse } from "./view.ts";

export function resolveUse(use: ViewUse): ResolvedUse {
  const view = views.get(use.view);
  checkVersion(view, use);
  const settings = settingsOf(view, use.with ?? {});
  const inner = isMixing(view) ? undefined : view.uses;
  if (inner === undefined) return { view: view.name, version: view.version, with: settings };
  const used = (settings[inner] as readonly ViewUse[]).map(resolveUse);
  const mixing = used.find((one) => isMixing(views.get(one.view)));
  if (mixing !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `view "${view.name}" cannot use "${mixing.view}", which mixes whole batches`,
      todo: `ask for ${mixing.view} beside it`,
    });
  return { view: view.name, version: view.version, with: { ...settings, [inner]: used } };
}

function settingsOf(view: View, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return resolveSettings(view.settings, given);
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    throw new CuelabError({ ...cause.parts, where: `view "${view.name}"` });
  }
}

function checkVersion({ name, version }: View, { version: written }: ViewUse): void {
  if (written === undefined || written === version) return;
  throw new CuelabError({
    kind: "input",
    what: `view "${name}" gives other pixels than when this was written down`,
    expected: `version ${version}`,
    got: `version ${written}`,
    todo: "start anew, or use the version of cuelab that began it",
  });
}
