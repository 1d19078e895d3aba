/** A run's own changes of training images: views in one fixed order, as people name them in options and files. */

import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { parseAssignments } from "../core/settings.ts";
import { mixedTwice } from "./chain.ts";
import { views } from "./index.ts";
import { resolveUse } from "./resolve-use.ts";
import { isMixing, type ResolvedUse, type ViewUse } from "./view.ts";

/** Applied last, in this order, whatever the order in which they are named: geometry, colours, what hides, what mixes. */
const usualOrder = ["crop", "flip", "jitter", "grey", "erase", "watermark", "mixup", "cutmix"];

/** Every setting written out, in the order of application: others come first, as given, since masks fit unmoved images. */
export function resolveAugmentations(given: readonly ViewUse[]): ResolvedUse[] {
  const uses = given.map((use) => told("augment", () => resolveUse(use)));
  const names = uses.map(({ view }) => view);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `view "${twice}" is given twice`,
      where: "augment",
      todo: "give it once, with the settings that are meant",
    });
  const mixing = names.filter((name) => isMixing(views.get(name)));
  if (mixing.length > 1) throw mixedTwice(mixing);
  const place = ({ view }: ResolvedUse) => usualOrder.indexOf(view);
  return uses.toSorted((a, b) => place(a) - place(b));
}

/** `crop,mixup` and `mixup.alpha=0.1`, as the command line has them. */
export function parseAugmentations(names: readonly string[], assignments: readonly string[]): ViewUse[] {
  const known = told("--augment", () => names.map((name) => views.get(name).name));
  const settings = new Map(known.map((name) => [name, [] as string[]]));
  for (const assignment of assignments) {
    const [view, rest] = splitAt(assignment, ".");
    const own = settings.get(view);
    if (own === undefined || rest === undefined) throw strayAssignment(assignment, view, names);
    own.push(rest);
  }
  return names.map((view) => {
    const own = lookUp(settings, view);
    return own.length === 0 ? { view } : { view, with: assigned(view, own) };
  });
}

function assigned(view: string, assignments: readonly string[]): Record<string, unknown> {
  return told(`--augment-set, view "${view}"`, () => parseAssignments(views.get(view).settings, assignments));
}

/** Errors are told with where they come from, unless they know better. */
function told<Value>(where: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof CuelabError ? new CuelabError({ where, ...cause.parts }) : cause;
  }
}

function strayAssignment(assignment: string, view: string, names: readonly string[]): CuelabError {
  if (!assignment.includes(".") || view.includes("="))
    return new CuelabError({
      kind: "usage",
      what: `cannot read the setting "${assignment}"`,
      where: "--augment-set",
      expected: "view.key=value, such as mixup.alpha=0.1",
    });
  told("--augment-set", () => views.get(view));
  return new CuelabError({
    kind: "usage",
    what: `a setting of view "${view}" has no effect without it`,
    where: "--augment-set",
    expected: `one of: ${names.join(", ") || "none, since --augment names none"}`,
    todo: `add ${view} to --augment, or leave its setting away`,
  });
}

function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
