/** What taking components out of the last layer changes, on images that chose nothing. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { groupsOf, spelled } from "../../core/grouping.ts";
import { imageMean } from "../looks/answer.ts";
import type { RepairAnswer } from "./answer.ts";
import type { JudgedCandidate } from "./choose.ts";
import { type LinearHead, logitsOf } from "./class-components.ts";

/** Of the null of the largest. */
const level = 0.05;

export interface RemovedComponent {
  class: number;
  k: number;
}

/** `class:number`, or `auto`: those whose gain is above chance. */
export function toRemove(
  asked: readonly string[],
  classNames: readonly string[],
  known: readonly RemovedComponent[],
  judged: readonly JudgedCandidate[],
): RemovedComponent[] {
  const harmful = judged.filter(({ gain, pValue }) => gain > 0 && pValue < level);
  const named = asked
    .filter((word) => word !== "auto")
    .map((word) => {
      const [, name = "", number = ""] = /^(.*):(\d+)$/.exec(word) ?? [];
      const found = known.find((one) => classNames[one.class] === name && one.k === Number(number) - 1);
      if (found !== undefined) return found;
      throw new CuelabError({
        kind: "usage",
        what: `there is no component "${word}" to remove`,
        expected: `auto, or some of: ${known.map((one) => `${classNames[one.class]}:${one.k + 1}`).join(", ")}`,
      });
    });
  const all = asked.includes("auto") ? [...named, ...harmful] : named;
  return known.filter((one) => all.some((other) => other.class === one.class && other.k === one.k));
}

export function changeBy(
  removed: readonly RemovedComponent[],
  { before, after }: { before: LinearHead; after: LinearHead },
  features: Float32Array,
  { dataset, indices, groups }: { dataset: Dataset; indices: Uint32Array; groups: readonly string[] },
  classNames: readonly string[],
): RepairAnswer {
  const right = (head: LinearHead) => {
    const logits = logitsOf(features, head);
    return Array.from(indices, (index, i) => {
      const row = logits.subarray(i * head.classes, (i + 1) * head.classes);
      return Number(row.indexOf(Math.max(...row)) === dataset.labels[index]);
    });
  };
  const [was, is] = [right(before), right(after)];
  const share = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const made = groupsOf(dataset, { by: ["class", ...groups] }, indices);
  return {
    removed: removed.map((one) => `${classNames[one.class]}:${one.k + 1}`),
    images: indices.length,
    accuracy: {
      before: share(was),
      after: share(is),
      change: imageMean(was.map((value, i) => is[i]! - value)),
    },
    groups: Array.from(made.sizes, (size, code) => {
      const rows = made.members(code);
      return {
        group: spelled(made.group(code), "words"),
        images: size,
        before: share(Array.from(rows, (row) => was[row]!)),
        after: share(Array.from(rows, (row) => is[row]!)),
      };
    }),
  };
}
