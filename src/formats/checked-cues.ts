/** How cues go with the class, and whether chance would do as much: for `data check` and for data cards. */

import { attributeRecord } from "../core/attribute-record.ts";
import { type CueAssociation, cueAssociation, inBins } from "../core/cue-association.ts";
import {
  type CueStatistic,
  cueStatistics,
  cuesOf,
  type GroupCounts,
  groupCounts,
  slicesOf,
} from "../core/cue-statistics.ts";
import type { Dataset } from "../core/dataset.ts";
import { classWord } from "../core/group-axes.ts";
import { lookUp } from "../core/look-up.ts";
import { countCell, decimalCell, type NumberCell, type Table } from "../core/section.ts";
import { holm } from "../core/statistics/index.ts";
import { percentText, valueText } from "../core/words.ts";

export type CheckedCue = CueStatistic & CueAssociation;

/** By their strength in the first slice, which is training. */
export function checkedCues(dataset: Dataset, by?: string): CheckedCue[] {
  const slices = new Map(slicesOf(dataset, by).map((slice) => [slice.name, slice]));
  // The parts of numbers are what agreement and information are about, too: of single numbers both are high by chance.
  const all = cueStatistics(inTrainingParts(dataset), by).map((statistic) => {
    const attribute = dataset.attributes[statistic.cue]!;
    return {
      ...statistic,
      ...cueAssociation(dataset, statistic.cue, attribute, lookUp(slices, statistic.slice)),
    };
  });
  const strength = new Map<string, number>();
  for (const { cue, v } of all) if (!strength.has(cue)) strength.set(cue, v ?? -1);
  return all
    .map((each, place) => ({ each, place }))
    .sort((a, b) => lookUp(strength, b.each.cue) - lookUp(strength, a.each.cue) || a.place - b.place)
    .map(({ each }) => each);
}

/** Class × one cue at a time. */
export function groupsByCue(dataset: Dataset): GroupCounts[] {
  return cuesOf(dataset).flatMap(([cue]) => (cue === classWord ? [] : [groupCounts(dataset, [cue])]));
}

/** Cues of many numbers in the parts in which the first slice, training, is judged. */
export function inTrainingParts(dataset: Dataset): Dataset {
  const [first] = slicesOf(dataset);
  if (first === undefined) return dataset;
  const parted = cuesOf(dataset).map(
    ([cue, attribute]) => [cue, inBins(attribute, dataset, first) ?? attribute] as const,
  );
  return { ...dataset, attributes: attributeRecord([...Object.entries(dataset.attributes), ...parted]) };
}

export const cueTitles = [
  "cue",
  "slice",
  "images",
  "P(agrees)",
  "V",
  "95% over images",
  "by chance",
  "p",
  "norm. MI",
];

export const cueCaption =
  "V: Cramér's, less what chance gives; by chance: what it would be, uncorrected, if nothing went with anything";

export function cueTable(cues: readonly CheckedCue[]): Table {
  return {
    name: "cues",
    caption: cueCaption,
    columns: cueTitles.map((title) => ({ title })),
    rows: cues.map((cue) => ({ cells: cueCells(cue) })),
  };
}

export function cueCells(row: CheckedCue): (NumberCell | string | null)[] {
  return [
    row.bins === null ? row.cue : `${row.cue} (in ${row.bins} parts)`,
    row.slice,
    countCell(row.count),
    decimalCell(row.agreement, 3),
    decimalCell(row.v, 3),
    row.low === null || row.high === null ? null : `${row.low.toFixed(2)} – ${row.high.toFixed(2)}`,
    decimalCell(row.expectedByChance, 3),
    { value: row.pValue, text: pText(row.pValue) },
    decimalCell(row.normalisedMutualInformation, 3),
  ];
}

function pText(p: number | null): string {
  return p === null ? "–" : p < 0.001 ? "<0.001" : p.toFixed(3);
}

interface LeadingCue {
  cue: CheckedCue;
  adjusted: number;
}

/** Each in its first slice, with its p-value adjusted for all of them. */
export function leadingCues(cues: readonly CheckedCue[]): LeadingCue[] {
  const firsts = cues.filter(({ cue }, i) => cues.findIndex((other) => other.cue === cue) === i);
  const tested = firsts.filter(({ pValue }) => pValue !== null);
  const adjusted = holm(tested.map(({ pValue }) => pValue!));
  return tested.map((cue, i) => ({ cue, adjusted: adjusted[i]! }));
}

/** More cues than this that go with nothing are one sentence. */
const mostSilent = 2;

/** One a cue, of its first slice; p-values of all cues together are adjusted by Holm. */
export function cueSentences(cues: readonly CheckedCue[]): string[] {
  const tested = leadingCues(cues);
  const goes = ({ cue, adjusted }: LeadingCue) => adjusted < 0.05 && cue.leading !== null;
  const silent = tested.filter((each) => !goes(each));
  const among = tested.length === 1 ? "" : `, adjusted for ${tested.length} cues`;
  if (silent.length <= mostSilent)
    return tested.map((each) => (goes(each) ? goingSentence(each) : silentSentence([each], among)));
  return [...tested.filter(goes).map(goingSentence), silentSentence(silent, among)];
}

function goingSentence({ cue: { cue, slice, leading } }: LeadingCue): string {
  const { class: label, value, share, elsewhere } = leading!;
  return `${cue}: of ${label}, ${percentText(share)} have ${valueText(value)}; of all others ${percentText(elsewhere)} (${slice})`;
}

function silentSentence(silent: readonly LeadingCue[], among: string): string {
  const slices = [...new Set(silent.map(({ cue }) => cue.slice))];
  const least = silent.reduce((low, { adjusted }) => Math.min(low, adjusted), 1);
  const [goes, from] = silent.length === 1 ? ["goes", ""] : ["each goes", least < 1 ? " or more" : ""];
  return `${silent.map(({ cue }) => cue.cue).join(", ")}: ${goes} with the class no more than chance would in ${slices.join(", ")} (p ${pText(least)}${from}${among})`;
}
