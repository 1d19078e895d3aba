/** Which classes of a factor go with which classes of its cue: the co-occurrence patterns of the studies (Fig. 3). */

import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";

/** Classes a factor has within one study. */
export const studyClasses = 3;

export interface Pattern {
  /** Share of the training images in each cell; rows are classes of the factor, columns of its cue. */
  shares: readonly (readonly number[])[];
  /** Cells that break the pattern: unseen in training or, in FGO, rare. */
  violating: readonly (readonly boolean[])[];
}

/** The paper's nine; `FGO-f` takes any other percentage too. */
export const paperStudies = [
  "ZSO",
  "ZGO",
  "CGO-1",
  "CGO-2",
  "CGO-3",
  "CHGO",
  "FGO-5",
  "FGO-10",
  "FGO-20",
] as const;

export interface PatternOptions {
  /** Number of the dataset sample, and who is correlated with whom: they decide the cells that CGO adds. */
  sample: number;
  pair: string;
  /** Whether all seen cells are equally frequent (the paper), or all classes. */
  balance: "cells" | "classes";
}

export function patternOf(study: string, { sample, pair, balance }: PatternOptions): Pattern {
  const { seen, violations } = cellsOf(study, sample, pair);
  const rowTotals = seen.map((row) => row.filter(Boolean).length);
  const total = rowTotals.reduce((sum, n) => sum + n, 0);
  const shares = seen.map((row, r) =>
    row.map((isSeen, c) => {
      if (violations !== undefined)
        return (r === c ? 1 - violations : violations / (studyClasses - 1)) / studyClasses;
      if (!isSeen) return 0;
      return balance === "cells" ? 1 / total : 1 / (studyClasses * rowTotals[r]!);
    }),
  );
  const violating = seen.map((row, r) =>
    row.map((isSeen, c) => (violations === undefined ? !isSeen : r !== c)),
  );
  return { shares, violating };
}

/** Throws unless it is the name of a study. */
export function checkStudy(study: string): void {
  cellsOf(study, 0, "");
}

interface PatternCells {
  seen: boolean[][];
  /** In FGO: share of each class's images that lie off the diagonal. */
  violations?: number;
}

function cellsOf(study: string, sample: number, pair: string): PatternCells {
  const grid = (seen: (row: number, column: number) => boolean) =>
    Array.from({ length: studyClasses }, (_, row) =>
      Array.from({ length: studyClasses }, (_, column) => seen(row, column)),
    );
  const [, kind, number] = /^(ZSO|ZGO|CHGO|CGO-([123])|FGO-(?:\d+(?:\.\d+)?))$/.exec(study) ?? [];
  if (kind === "ZSO") return { seen: grid(() => true) };
  if (kind === "ZGO") return { seen: grid((row, column) => row === column) };
  if (kind === "CHGO") return { seen: grid((row, column) => (row === 0) === (column === 0)) };
  if (number !== undefined) {
    const added = addedColumns(sample, pair);
    return {
      seen: grid((row, column) => row === column || (row < Number(number) && column === added[row])),
    };
  }
  const percent = Number(kind?.slice("FGO-".length));
  if (percent > 0 && percent < 100) return { seen: grid(() => true), violations: percent / 100 };
  throw new CuelabError({
    kind: "usage",
    what: `unknown study "${study}"`,
    expected: `one of: ${paperStudies.join(", ")}, or FGO-f with f above 0 and below 100`,
  });
}

/** For each row one column off the diagonal. CGO-1's cells are among CGO-2's, and those among CGO-3's. */
function addedColumns(sample: number, pair: string): number[] {
  const stream = randomStream(sample, `diagvib-study/added-cells/${pair}`);
  return Array.from({ length: studyClasses }, (_, row) => {
    const others = [...Array(studyClasses).keys()].filter((column) => column !== row);
    return others[stream.at(row).integer(others.length)]!;
  });
}
