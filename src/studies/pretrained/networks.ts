/** Rows of a study of ready-made networks: those of ours with several seeds, and those that people bring, of which there is one each. */

import { type Cell, seedsCell } from "../../core/section.ts";
import { type Measured, measuredAs } from "../jobs/kinds.ts";
import type { FittedLayer } from "../jobs/layers-job.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import type { DifferenceValues } from "../judge.ts";
import { isTrained, untrained, untrainedWords } from "../plateau.ts";
import { casesOf } from "../summaries.ts";
import { ownNetworks } from "./own-networks.ts";

export interface NetworkRow {
  label: string;
  /** Brought by people: one set of weights, so that intervals are over images alone. */
  brought: boolean;
  /** Why it is compared with nothing, such as that its training had not come to rest; undefined where it may be. */
  open: string | undefined;
  answers: readonly NetworkAnswer[];
}

/** Of one part, in its order; none where it was not asked or nothing of it is finished. */
export function networksOf(measured: readonly Measured[], part: string): NetworkRow[] {
  const found = measuredAs(measured, "predictions").find(({ job }) => job.name === part);
  const byLabel = new Map<string, NetworkAnswer[]>();
  for (const model of found?.models ?? [])
    byLabel.set(model.label, [...(byLabel.get(model.label) ?? []), model]);
  const trained = casesOf(measured, ownNetworks);
  const fitted = measuredAs(measured, "layers").flatMap(({ layers }) => layers);
  return [...byLabel].map(([label, answers]) => {
    const brought = answers.some(({ seed }) => seed === null);
    return { label, brought, open: brought ? undefined : whyOpen(label, trained, fitted), answers };
  });
}

function whyOpen(
  label: string,
  trained: ReturnType<typeof casesOf>,
  fitted: readonly FittedLayer[],
): string | undefined {
  const layers = fitted.filter((layer) => layer.label === label);
  if (layers.length > 0) return isTrained({ runs: layers }) ? undefined : `${label} is ${untrained}`;
  const found = trained.filter(({ method }) => method === label);
  return found.length === 0 ? `nothing is known of the training of ${label}` : untrainedWords(found);
}

/** One network's number less another's with the same seed; none where one of them is missing or untrained. */
export function differenceOfNetworks(
  networks: readonly NetworkRow[],
  [one, other]: readonly [string, string],
  of: (answer: NetworkAnswer) => Estimate | undefined,
): DifferenceValues {
  const [own, theirs] = [one, other].map((label) => networks.find((network) => network.label === label));
  if (own === undefined || theirs === undefined)
    return { values: [], open: "one of them has no finished run" };
  const open = [own.open, theirs.open].filter((why) => why !== undefined);
  if (open.length > 0) return { values: [], open: open.join(", ") };
  const values = own.answers.flatMap((answer) => {
    const partner = theirs.answers.find(({ seed }) => seed === answer.seed);
    const [a, b] = [of(answer), partner && of(partner)];
    return a && b ? [a.value - b.value] : [];
  });
  return { values };
}

/** So many of so many images. */
export interface CountedShare {
  images: number;
  correct: number;
}

function shareOf({ images, correct }: CountedShare): number {
  return correct / images;
}

/** Of its images; of groups that are told as the mean of their own shares, each group counts the same. */
export function meanShare(shares: readonly CountedShare[]): Estimate {
  const each = shares.map(shareEstimate);
  const n = each.length;
  return {
    value: each.reduce((sum, { value }) => sum + value, 0) / n,
    error: Math.sqrt(each.reduce((sum, { error }) => sum + error * error, 0)) / n,
  };
}

/** A number and its standard error over images, with the model's weights as they are. */
export interface Estimate {
  value: number;
  error: number;
}

export function shareEstimate(share: CountedShare): Estimate {
  const value = shareOf(share);
  return { value, error: Math.sqrt((value * (1 - value)) / share.images) };
}

/** As if both were of other images, which makes the error too large rather than too small where they are of the same ones. */
export function less(one: Estimate, other: Estimate): Estimate {
  return { value: one.value - other.value, error: Math.hypot(one.error, other.error) };
}

/** Share of the images of a change: right with it alone, less right without it alone. */
export function pairedChange({
  gained,
  lost,
  images,
}: {
  gained: number;
  lost: number;
  images: number;
}): Estimate {
  const value = (gained - lost) / images;
  return { value, error: Math.sqrt(Math.max(0, (gained + lost) / images - value * value) / images) };
}

/** Over seeds; of a network that was brought with the number of its images, which gives an interval over these. */
export function networkShare(
  network: NetworkRow,
  of: (answer: NetworkAnswer) => CountedShare | undefined,
): Cell {
  const shares = network.answers.flatMap((answer) => of(answer) ?? []);
  return remarked(seedsCell(shares.map(shareOf), shares[0]?.images), network);
}

/** What is untrained says so. */
export function remarked(cell: Cell, { open }: NetworkRow): Cell {
  return typeof cell === "object" && cell !== null && "mean" in cell && open !== undefined
    ? { ...cell, remark: untrained }
    : cell;
}
