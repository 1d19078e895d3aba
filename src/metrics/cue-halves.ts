/** For one cue: the images that show the value going with their class (majority), and all others (minority). */

import { lookUp } from "../core/look-up.ts";
import { truthOf } from "../core/truth.ts";
import { addTally, cellsOf, emptyTally, type PredictionCounts, type Tally } from "./counts.ts";

/** What makes an image belong to the majority of a cue. */
export type MajorityRule =
  /** Each class's value; undefined where it is not known, and the class's images are then in neither half. */
  | { by: "values"; values: readonly (string | undefined)[] }
  /** A column of yes and no. */
  | { by: "column"; column: string };

export interface CueHalves {
  cue: string;
  majority: Tally;
  minority: Tally;
  /** Images of classes whose majority value is not known. */
  unknown: number;
}

export function cueHalves(counts: PredictionCounts, cue: string, rule: MajorityRule): CueHalves {
  const halves = { cue, majority: emptyTally(), minority: emptyTally(), unknown: 0 };
  const belongs = belongsTo(counts, cue, rule);
  for (const cell of cellsOf(counts, [rule.by === "values" ? cue : rule.column])) {
    const inMajority = belongs(cell.label, cell.values[0]!);
    if (inMajority === undefined) halves.unknown += cell.count;
    else addTally(inMajority ? halves.majority : halves.minority, cell);
  }
  return halves;
}

/** Whether an image of a class, with a value of the rule's column, is in the majority; undefined where nothing tells. */
type Belongs = (label: number, value: number) => boolean | undefined;

export function belongsTo(counts: PredictionCounts, cue: string, rule: MajorityRule): Belongs {
  return rule.by === "values" ? byValues(counts, cue, rule.values) : byColumn(counts, rule.column);
}

function byValues(counts: PredictionCounts, cue: string, values: readonly (string | undefined)[]): Belongs {
  const valueNames = lookUp(counts.valueNames, cue);
  const codes = values.map((value) => (value === undefined ? undefined : valueNames.indexOf(value)));
  return (label, own) => {
    const code = codes[label];
    return code === undefined ? undefined : own === code;
  };
}

function byColumn(counts: PredictionCounts, column: string): Belongs {
  const yes = lookUp(counts.valueNames, column).map((value) => truthOf(value, column));
  return (_, own) => yes[own]!;
}

/** Training images by class (rows) and value of a cue. */
export function trainingTable(counts: PredictionCounts, cue: string): Float64Array[] {
  const values = lookUp(counts.valueNames, cue).length;
  const table = counts.classNames.map(() => new Float64Array(values));
  for (const {
    label,
    values: [value],
    train,
  } of cellsOf(counts, [cue]))
    table[label]![value!]! += train ?? 0;
  return table;
}
