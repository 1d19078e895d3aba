/** What another last layer changes, group by group, on images that chose nothing; and whether that is any good. */

import type { Dataset } from "../../core/dataset.ts";
import { type DisjointGroups, spelled } from "../../core/grouping.ts";
import { mean, pairedShares, wilsonInterval } from "../../core/statistics/index.ts";
import { fixedText, percentText } from "../../core/words.ts";
import { type Predictions, predictedClasses } from "../../runs/predictions.ts";
import type { LayerRepair, RepairedGroup, RepairVerdict } from "./answer.ts";

/** The change pairs each image with itself. */
export function changesOf(
  { labels }: Dataset,
  made: DisjointGroups,
  images: readonly number[],
  was: Predictions,
  is: Predictions,
): { accuracy: RepairedGroup; changes: RepairedGroup[] } {
  const [before, after] = [predictedClasses(was), predictedClasses(is)];
  const right = images.map((image, row) => ({
    group: made.codes[image]!,
    before: before[row] === labels[image],
    after: after[row] === labels[image],
  }));
  const changeOf = (group: string, rows: typeof right): RepairedGroup => {
    const n = rows.length;
    const share = (of: "before" | "after") => {
      const correct = rows.filter((row) => row[of]).length;
      return { value: correct / n, ...wilsonInterval(correct, n) };
    };
    const won = rows.filter((row) => row.after && !row.before).length;
    const lost = rows.filter((row) => row.before && !row.after).length;
    const { difference, low, high } = pairedShares({ won, lost, n });
    return {
      group,
      images: n,
      before: share("before"),
      after: share("after"),
      change: { value: difference, low, high },
    };
  };
  const codes = [...new Set(right.map(({ group }) => group))].sort((a, b) => a - b);
  return {
    accuracy: changeOf("all images", right),
    changes: codes.map((code) =>
      changeOf(
        spelled(made.group(code), "words"),
        right.filter(({ group }) => group === code),
      ),
    ),
  };
}

interface Judging {
  /** The group that was worst before, on the part for choosing. */
  worst: string;
  moles: LayerRepair["moles"] | undefined;
  /** Whether the head was better than the network's own there. */
  isChosen: boolean;
  chance: number;
}

/**
 * Improved: the group that was worst before is told more often beyond chance, or reliance on a cue went down; and what came out does
 * better than guessing, which treats all groups alike, too.
 */
export function judged(
  changes: readonly RepairedGroup[],
  { worst, moles, isChosen, chance }: Judging,
): { verdict: RepairVerdict; reason: string } {
  const found = changes.find(({ group }) => group === worst);
  const rises = found !== undefined && found.change.low > 0;
  const reduced = (moles?.cues ?? []).filter(({ verdict }) => verdict === "reduced");
  const points = (value: number) => fixedText(100 * value, 1).replace("-", "−");
  const ofWorst =
    found === undefined
      ? `the group that was worst before (${worst}) has no image to tell of`
      : `the group that was worst before (${worst}) changed by ${points(found.change.value)} points (${points(found.change.low)} to ${points(found.change.high)})`;
  const none = (reason: string) => ({ verdict: "nothing improved" as const, reason });
  if (!isChosen)
    return none(
      `on the images for choosing no head was better than the network's own; told all the same: ${ofWorst}`,
    );
  if (!rises && reduced.length === 0)
    return none(`${ofWorst}, which chance alone could give, and reliance on no cue went down beyond chance`);
  const { value, low } = meanOfGroups(changes);
  if (low <= chance)
    return none(
      `${ofWorst}, but what came out may as well guess: mean over groups ${percentText(value)}, where guessing has ${percentText(chance)}`,
    );
  return {
    verdict: "improved",
    reason: [
      ofWorst,
      ...reduced.map(({ cues }) => `reliance on ${cues.join(" + ")} went down beyond chance`),
    ].join("; "),
  };
}

/** After, with the lower end of its 95% interval over images. */
function meanOfGroups(changes: readonly RepairedGroup[]): { value: number; low: number } {
  const value = mean(changes.map(({ after }) => after.value));
  // Of groups of few images that are all right or all wrong there is an error, too: as if two more had been seen.
  const variance = changes.reduce((sum, { after, images }) => {
    const share = (after.value * images + 1) / (images + 2);
    return sum + (share * (1 - share)) / (images + 2);
  }, 0);
  return { value, low: value - (1.96 * Math.sqrt(variance)) / changes.length };
}
