/** The report's sections: all splits in one table, then each family with a picture of every split. */

import type { Figure, Section } from "../../core/section.ts";
import { percentText } from "../../core/words.ts";
import type { MeasuredPools } from "../jobs/pools-job.ts";
import { learnedTable, rFigure, verdictTable } from "./table.ts";
import { type JudgedSplit, judgedSplits, learnedNothing, rWithInterval, threshold } from "./words.ts";

export function sectionsOf(parts: readonly MeasuredPools[]): Section[] {
  const splits = judgedSplits(parts);
  const told = parts.filter(({ pools }) => pools.length > 0);
  return [
    overview(splits),
    {
      name: "learned",
      heading: "What was learned, and by how many",
      text:
        "A pool in which most classifiers learned nothing is ruled by them. So R is given a second time, for the points " +
        "that are more than halfway from guessing to the best ID accuracy of their pool. This rule, and the classifiers " +
        "themselves, were fixed before the study was run; features, steps and sizes were chosen by ID accuracies alone, and " +
        "are the same for all datasets. Checkpoints of one classifier are no independent points, and neither are classifiers " +
        "that were drawn together, with one family, batch size, augmentation and kind of features: intervals, and with them " +
        "verdicts, come from drawing whole draws anew, and of fewer than five draws everything is left open. P-values and " +
        "standard errors take every checkpoint for an independent point, as the paper does, and are too small.",
      tables: [learnedTable(splits)],
      figures: [],
    },
    ...told.map((part) => familySection(part)),
  ];
}

function overview(splits: readonly JudgedSplit[]): Section {
  const shifted = splits.filter(({ role }) => role === "shifted");
  const count = (verdict: string) => shifted.filter(({ all }) => all.verdict === verdict).length;
  const families = [...new Set(shifted.map(({ part }) => part))].map((part) => {
    const own = shifted.filter((split) => split.part === part);
    const passed = own.filter(({ all }) => all.verdict === "well-specified");
    return `${part} ${passed.length} of ${own.length}`;
  });
  const changed = splits.filter(({ all, learned }) => all.verdict !== learned.verdict);
  return {
    name: "verdicts",
    heading: "Which controlled benchmarks pass the test? (Table 1)",
    text:
      "A benchmark can reveal shortcuts where the model that is best at home is not simply the best one abroad: where OOD " +
      `accuracy does not follow ID accuracy along a rising line. Of ${shifted.length} splits whose shortcut is broken, ` +
      `${count("well-specified")} pass (R < ${threshold}) and ${count("misspecified")} do not; undecided: ` +
      `${count("undecided")}${families.length > 1 ? ` (that pass: ${families.join(", ")})` : ""}. Among the points that learned something, ${changed.length} of all ${splits.length} splits get another verdict.`,
    tables: [verdictTable(splits)],
    figures: [rFigure(splits)],
  };
}

const stories: Readonly<Record<string, string>> = {
  "colored-mnist":
    "Colour agrees with the label in 10, 20 and 90% of the images of the three environments, and the digit tells it in 75%. " +
    "Each environment is left out in turn, and ID is the mean of the other two.",
  "biased-mnist":
    "Seven cues each take their class's value with probability p in training and in the images that are measured at home; " +
    "abroad they tell nothing. At p = 0.1 they tell nothing at home either: that is one control, and a test set that is as " +
    "biased as training is another.",
  diagvib:
    "Three classes of one factor are told apart while three classes of another go with them in training: always (ZGO), in " +
    "all but f% of the images (FGO-f), but for some cells (CGO-k), or not at all (ZSO, the control). Abroad only cells " +
    "that break the pattern are asked for.",
  "urban-cars":
    "Background and co-occurring object are of the car's world in 95% of the training images each. Abroad all groups are " +
    "equally frequent; as the paper does for Waterbirds, each is also taken by itself. Cars whose background and object are " +
    "both common are nearly all of training: that is the control.",
  "hard-spurious":
    "Objects on their own background and large (easy), on another class's background and small (hard), or between. Four in " +
    "five training images are easy: that level is the control.",
  watermark:
    "Backgrounds and objects tell nothing; 95% of the training images of urban cars carry a watermark, and no others. " +
    "Abroad it is gone, on every image, or on the other class; images as most are in training are the control.",
};

function familySection({ job, pools }: MeasuredPools): Section {
  const splits = judgedSplits([{ job, pools }]);
  const silent = splits.filter(learnedNothing);
  const best = Math.max(...splits.map(({ bestId }) => bestId));
  const more =
    silent.length === 0
      ? ""
      : ` Of ${silent.length} of the ${splits.length} splits next to nothing was learned, and their R means nothing: ${silent.map(({ dataset, ood }) => `${dataset} (${ood})`).join(", ")}.`;
  return {
    name: job.name,
    heading: job.title,
    text: `${stories[job.name] ?? ""} The best ID accuracy of any pool is ${percentText(best)}.${more}`,
    tables: [],
    figures: splits.map(splitFigure),
  };
}

function splitFigure(split: JudgedSplit): Figure {
  const { all, learned, warnings, oodRange, bestId, guessing } = split;
  const [least, most] = oodRange.map(percentText);
  const same = learned.verdict === all.verdict ? "the same verdict" : learned.verdict;
  const alone =
    split.networks === null
      ? ""
      : `; of the ${split.networks.points.toLocaleString("en")} points of networks ${rWithInterval(split.networks)}`;
  const beware = warnings.length === 0 ? "" : `; beware: ${warnings.join(", ")}`;
  return {
    name: split.name,
    beside: true,
    draw: split.draw,
    caption:
      `${split.dataset}, ${split.ood}: R ${rWithInterval(all)}, ${all.verdict}. ID accuracy up to ${percentText(bestId)} where ` +
      `guessing gets ${percentText(guessing)}, OOD from ${least} to ${most}. Of the ${learned.points.toLocaleString("en")} points ` +
      `that learned something R is ${rWithInterval(learned)}, ${same}${alone}${beware}`,
  };
}
