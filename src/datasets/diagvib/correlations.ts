/** Who is correlated with whom: `hue`, `hue+texture` (two that move together), `shape~hue` (a cue of that factor). */

import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import type { Joint } from "./assignment.ts";
import { type FactorName, factorNames } from "./factors.ts";
import { type Pattern, studyClasses } from "./patterns.ts";

export interface Correlation {
  /** The factor whose class decides. */
  of: FactorName;
  /** The factors that follow it; several take the class of the same position. */
  cues: readonly FactorName[];
  /** As it was written, without the first factor: `hue`, `hue+texture`. */
  name: string;
}

/** Reads what `cue` lists. A cue without `~` belongs to the first predicted factor. */
export function readCorrelations(texts: readonly string[], predict: readonly FactorName[]): Correlation[] {
  const followed = new Set<FactorName>();
  const correlations = texts.map((text) => {
    const [first, second, ...rest] = text.split("~");
    if (rest.length > 0) throw refused(text, "at most one ~, as in shape~hue");
    const of = second === undefined ? predict[0]! : factorNamed(first!, text);
    const cues = (second ?? first!).split("+").map((name) => factorNamed(name, text));
    for (const cue of cues) {
      if (cue === of) throw refused(text, `a cue other than ${of} itself`);
      if (followed.has(cue)) throw refused(text, `${cue} to be named once, and to follow one factor`);
      followed.add(cue);
    }
    return { of, cues, name: cues.join("+") };
  });
  const touched = new Set<FactorName>(predict);
  for (const _ of correlations)
    for (const { of, cues } of correlations)
      if ([of, ...cues].some((factor) => touched.has(factor)))
        for (const factor of [of, ...cues]) touched.add(factor);
  const apart = correlations.findIndex(({ of }) => !touched.has(of));
  if (apart >= 0)
    throw refused(texts[apart]!, `factors that go with ${predict.join(" or ")}, directly or by others`);
  return inOrder(correlations, texts);
}

function factorNamed(name: string, text: string): FactorName {
  const found = factorNames.find((factor) => factor === name.trim());
  if (found !== undefined) return found;
  const close = nearest(name, factorNames);
  throw new CuelabError({
    kind: "usage",
    what: name === "" ? `a factor is missing in cue=${text}` : `unknown factor "${name}" in cue=${text}`,
    expected: `one of: ${factorNames.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

function refused(text: string, expected: string): CuelabError {
  return new CuelabError({ kind: "usage", what: `cannot use cue=${text}`, expected });
}

/** A factor's own correlation comes before those that build on it. */
function inOrder(correlations: readonly Correlation[], texts: readonly string[]): Correlation[] {
  const ordered: Correlation[] = [];
  let waiting = [...correlations];
  while (waiting.length > 0) {
    const free = waiting.filter(({ of }) => !waiting.some(({ cues }) => cues.includes(of)));
    if (free.length === 0) throw refused(texts.join(","), "no circle of factors that follow each other");
    ordered.push(...free);
    waiting = waiting.filter((correlation) => !free.includes(correlation));
  }
  return ordered;
}

/** One variable of the joint distribution: a factor on its own, or cues that move together. */
type CorrelatedVariable = readonly FactorName[];

/** Roots first, then what follows them. */
function variablesOf(correlations: readonly Correlation[]): CorrelatedVariable[] {
  const followers = correlations.flatMap(({ cues }) => cues);
  const roots = new Set(correlations.map(({ of }) => of).filter((factor) => !followers.includes(factor)));
  return [...[...roots].map((factor) => [factor]), ...correlations.map(({ cues }) => cues)];
}

/** How often each combination of the variables' classes occurs in training, and which correlations it breaks. */
export interface CorrelatedClasses {
  variables: CorrelatedVariable[];
  training: Joint;
  /** Bit k is set where correlation k is broken. */
  broken: (classes: readonly number[]) => number;
}

export function correlate(
  correlations: readonly Correlation[],
  patterns: readonly Pattern[],
): CorrelatedClasses {
  const variables = variablesOf(correlations);
  const position = (factor: FactorName) => variables.findIndex((variable) => variable.includes(factor));
  const links = correlations.map(({ of, cues }, k) => ({
    of: position(of),
    cue: position(cues[0]!),
    rowTotals: patterns[k]!.shares.map((row) => row.reduce((a, b) => a + b, 0)),
    ...patterns[k]!,
  }));
  const rootCount = variables.length - correlations.length;
  return {
    variables,
    training: {
      sizes: variables.map(() => studyClasses),
      share: (classes) => {
        let share = 1;
        for (let root = 0; root < rootCount; root++)
          share *= links.find(({ of }) => of === root)!.rowTotals[classes[root]!]!;
        for (const { of, cue, shares, rowTotals } of links)
          share *= shares[classes[of]!]![classes[cue]!]! / rowTotals[classes[of]!]!;
        return share;
      },
    },
    broken: (classes) =>
      links.reduce(
        (bits, { of, cue, violating }, k) => bits | (violating[classes[of]!]![classes[cue]!]! ? 2 ** k : 0),
        0,
      ),
  };
}
