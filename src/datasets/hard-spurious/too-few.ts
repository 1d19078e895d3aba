/** What to say where a class has too few photographs: which settings ask for them, and which of them compete. */

import { CuelabError } from "../../core/errors.ts";
import { countsOf, type PlacedGroup } from "./groups.ts";
import type { Photographs, Split } from "./photographs.ts";
import type { HardSpuriousSettings } from "./settings.ts";

/** So many photographs, and the setting that asks for them. */
interface Wish {
  wanted: number;
  setting: string;
}

export function tooFewPhotographs(
  { classNames, members, shared }: Photographs,
  label: number,
  split: Split,
  groups: readonly PlacedGroup[],
  settings: HardSpuriousSettings,
): CuelabError {
  const what = `the class "${classNames[label]}" has too few photographs for the split ${split}`;
  const own = ofLargestGroup(split, groups, settings);
  const folder = shared?.find(({ splits }) => splits.includes(split));
  const wishes = (folder?.splits ?? []).map((name) => ({ name, ...wishOf(name, groups, settings) }));
  const others = wishes.filter(({ name, wanted }) => name !== split && wanted > 0);
  const limit = settings.photographs[split];
  const limited = limit !== undefined && limit < own.wanted;
  if (folder === undefined || others.length === 0 || limited) {
    const named = limited ? `photographs.${split}=${limit}` : undefined;
    return new CuelabError({
      kind: "usage",
      what,
      expected: `${own.wanted}, as many as a group has images (${own.setting}=${own.wanted})`,
      got: `${members[split][label]!.length}${named === undefined ? "" : ` (${named})`}`,
      todo: `lower ${own.setting}, ${limited ? `raise photographs.${split}, ` : ""}or leave the class out with classes`,
    });
  }
  const competing = wishes.filter(({ wanted }) => wanted > 0);
  const total = competing.reduce((sum, { wanted }) => sum + wanted, 0);
  const apart = folder.splits.includes("test") ? "; or give testImages, so that they need not be shared" : "";
  return new CuelabError({
    kind: "usage",
    what: `${what}, which shares them with ${others.map(({ name }) => name).join(" and ")}`,
    expected: `${total}: ${competing.map(({ name, wanted, setting }) => `${wanted} for ${name} (${setting}=${wanted})`).join(", ")}`,
    got: `${folder.available[label]}: ${competing.map(({ name }) => `${members[name][label]!.length} for ${name}`).join(", ")}`,
    todo: `lower ${competing.map(({ setting }) => setting).join(", ")}, or leave the class out with classes${apart}`,
  });
}

/** What a split takes out of a folder that it shares: what is set apart for it, or what its largest group needs. */
function wishOf(split: Split, groups: readonly PlacedGroup[], settings: HardSpuriousSettings): Wish {
  const apart = settings.photographs[split];
  if (apart === undefined) return ofLargestGroup(split, groups, settings);
  return { wanted: apart, setting: `photographs.${split}` };
}

function ofLargestGroup(split: Split, groups: readonly PlacedGroup[], settings: HardSpuriousSettings): Wish {
  const counts = groups.map((group) => countsOf(group, settings)[split]);
  const wanted = Math.max(...counts);
  const { difficulty } = groups[counts.indexOf(wanted)]!;
  return { wanted, setting: split === "train" ? `count.train.${difficulty}` : `count.${split}` };
}
