/** A method beside a baseline, cue by cue, as a section. */

import {
  type Cell,
  countCell,
  decimalCell,
  pointsCell,
  type Section,
  type Table,
} from "../../core/section.ts";
import { percentText } from "../../core/words.ts";
import {
  type CueComparison,
  comparisonName,
  type Effect,
  type JudgedComparison,
  moleSentence,
} from "../../metrics/moles/index.ts";
import { changeFigures } from "./figures.ts";

export function showMoles(judged: JudgedComparison): Section {
  return {
    name: "moles",
    heading: "Beside the baseline: what became of each gap",
    text: moleSentence(judged),
    tables: [changeTable(judged), flipTable(judged)],
    figures: changeFigures(judged),
    remarks: [rule(judged)],
  };
}

function changeTable({ cues, kind, over }: JudgedComparison): Table {
  const common = kind === "cells" ? "I.D." : "majority";
  return {
    name: "gap-changes",
    caption: `points; uncommon and ${common} are changes of accuracy; × is reliance as a multiple of the baseline's`,
    columns: [
      "uncommon",
      "baseline's gap",
      "gap",
      "change",
      `95% over ${over}`,
      "×",
      "uncommon",
      common,
      "verdict",
    ].map((title) => ({ title })),
    rows: cues.map((cue) => ({
      cells: [
        comparisonName(cue),
        pointsCell(cue.baseline),
        pointsCell(cue.method),
        pointsCell(cue.gap.value),
        between(cue.gap),
        ratioCell(cue),
        pointsCell(cue.uncommon.value),
        pointsCell(cue.common.value),
        cue.verdict ?? "",
      ],
    })),
  };
}

/** Images where the cue is uncommon, one by one. */
function flipTable({ cues }: JudgedComparison): Table {
  const known = cues.flatMap((cue) =>
    cue.flips === null ? [] : [{ name: comparisonName(cue), ...cue.flips }],
  );
  return {
    name: "flips",
    caption: "images that the baseline got right and the method wrong, and the other way round",
    columns: ["uncommon", "images", "right to wrong", "wrong to right"].map((title) => ({ title })),
    rows: known.map(({ name, images, toWrong, toRight }) => ({
      cells: [name, countCell(images), countCell(toWrong), countCell(toRight)],
    })),
  };
}

function ratioCell({ ratio }: CueComparison): Cell {
  return decimalCell(ratio?.value ?? null, 2);
}

function between({ interval }: Effect): string | null {
  return interval && `${pointsCell(interval.low).text} to ${pointsCell(interval.high).text}`;
}

/** How verdicts are made, with the numbers that decided. */
function rule({ over, cues, margin, alpha, family, kind }: JudgedComparison): string {
  const seeds = Math.min(...cues.map((cue) => cue.seeds));
  const by =
    over === "seeds"
      ? `differences within seeds, Student's t over ${seeds} seeds, ${seeds - 1} degrees of freedom`
      : "about these two models and their images alone: another seed may say otherwise";
  const gap =
    kind === "cells"
      ? "a gap is accuracy where the cue alone is uncommon less I.D. accuracy"
      : "a gap is accuracy of the cue's minority less its majority's, whatever other cues are";
  return (
    `verdicts: ${by}; ${family === 1 ? "one cue" : `${family} cues as one family, adjusted by Holm`} at ${percentText(alpha)}, ` +
    `equal only where the change is known to be below ${percentText(margin)}; intervals are not adjusted; ${gap}; ` +
    `reduced needs the uncommon images to rise, amplified needs them to fall, worse everywhere that a rise of ${percentText(margin)} is ruled out`
  );
}
