/** Which layers a network keeps as they are. */

import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { Network } from "../model.ts";
import { isWithin } from "./match-weights.ts";

/** All layers but the head. */
const backbone = "backbone";

/** Whether a layer is frozen: `freeze` names parameters by their first dotted parts, or the whole backbone. */
export function frozenLayers(freeze: readonly string[], head: string): (name: string) => boolean {
  return (name) =>
    freeze.some((prefix) => (prefix === backbone ? !isWithin(name, head) : isWithin(name, prefix)));
}

/** Refuses names that freeze nothing, and freezing that leaves nothing to train, also nothing beside the network. */
export function checkFrozen(
  freeze: readonly string[],
  { parameters, model }: Network,
  { trainedBeside = false } = {},
): void {
  const names = parameters.all.map(({ name }) => name);
  const idle = freeze.find((prefix) => prefix !== backbone && !names.some((name) => isWithin(name, prefix)));
  if (idle !== undefined) {
    throw new CuelabError({
      kind: "usage",
      what: `model "${model.name}" has no layer "${idle}" to freeze`,
      expected: `${backbone}, or the first parts of parameters' names, whole ones: ${beginnings(names).join(", ")}`,
      ...didYouMean(idle, [backbone, ...beginnings(names)]),
    });
  }
  if (freeze.length === 0 || parameters.trained.length > 0 || trainedBeside) return;
  throw new CuelabError({
    kind: "usage",
    what: "all layers are frozen: there is nothing to train",
    todo: `freeze less; ${backbone} leaves the head`,
  });
}

/** Up to the second dot, and the blocks of what only holds blocks: enough to choose from, few enough to read. */
function beginnings(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(beginningsOf))];
}

function beginningsOf(name: string): string[] {
  const parts = name.split(".").slice(0, -1);
  const [, second = "", third = ""] = parts;
  const first = parts.slice(0, 2).join(".") || name;
  const holdsBlocks = !/\d/.test(second) && /\d$/.test(third);
  return holdsBlocks ? [first, parts.slice(0, 3).join(".")] : [first];
}
