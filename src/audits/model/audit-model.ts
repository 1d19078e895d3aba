/** An audit of a model from its parts: a way to ask it, images, and what is to be changed. */

import type { z } from "zod";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import type { AuditHooks } from "../audit.ts";
import type { AskedMark, IntervalOf, MarkedAnswer, ModelAnswer, VariantAnswer } from "./answer.ts";
import { type AskedImages, contextsOf, sampledIndices } from "./asked-images.ts";
import { findMarkedClasses } from "./find-classes.ts";
import { type JudgedVariant, judgeVariants } from "./judge.ts";
import { type AskLogits, type MeasuredModel, measureModel } from "./measure.ts";
import { chooseSource, type InterventionPlan, type PlannedVariant, planInterventions } from "./plan.ts";
import type { modelQuestion } from "./question.ts";
import type { VariantTally } from "./tally.ts";

export interface AuditedModel {
  name: string;
  ask: AskLogits;
  /** As the model numbers them; the dataset's are the same where it is labelled. */
  classNames: readonly string[];
}

export async function auditModel(
  model: AuditedModel,
  dataset: Dataset,
  question: z.output<typeof modelQuestion>,
  { signal, onProgress }: AuditHooks = {},
): Promise<ModelAnswer> {
  const { shape } = dataset.images;
  if (shape === null) throw severalSizes(dataset.name);
  const { margin, threshold, alpha, flips, seed, batch } = question;
  const { classNames } = model;
  const asked = question.class === undefined ? undefined : classCode(classNames, question.class);
  const thing = chooseSource(dataset, question.mask, question.box);
  const among = imagesOf(dataset, question.split);
  const indices = sampledIndices(among, question.images, seed);
  const images: AskedImages = { dataset, indices, thing, seed };
  const plan = planInterventions(dataset, question.interventions, thing, { ...question, shape });
  const labelled = !isUnlabelled(dataset);
  const measured = await measureModel(model.ask, images, plan.variants, {
    classes: classNames.length,
    labelled,
    batch,
    signal,
    onProgress: (done, total) => onProgress?.(`asking ${model.name}`, done, total, "pictures"),
  });
  const marks = plan.variants.filter(({ variant }) => variant.marks).map(({ variant }) => variant.name);
  const options = { classNames, marks, threshold, alpha, flips, seed };
  const found = marks.length === 0 ? undefined : findMarkedClasses(measured.marks, options);
  const judged = judgeVariants(measured.tallies, { margin, alpha }, found === undefined ? [] : [found.pValue]);
  const right = measured.predicted.filter((said, i) => said === measured.wanted[i]).length;
  const contextOf = contextsOf(images, measured.wanted);
  return {
    model: model.name,
    data: dataset.provenance.title,
    images: indices.length,
    among: among.length,
    classes: classNames.length,
    classNames,
    labelled,
    accuracy: labelled ? right / indices.length : null,
    settings: { margin, threshold, alpha, flips, seed, thing: thing ?? null, split: question.split ?? null },
    variants: plan.variants.map((planned, v) =>
      variantAnswer(planned, measured.tallies[v]!, judged.variants[v]!, classNames),
    ),
    marked: found && markedAnswer(found, measured, plan, judged.others[0]!, { ...options, asked, labelled }),
    notDone: plan.notDone,
    seen: {
      again: async (v, index) => {
        const plain = await dataset.images.pixels(index);
        const { variant, title } = plan.variants[v]!;
        const changed = await variant.change(plain, contextOf(indices.indexOf(index), title));
        // What was shown to the model could be changed.
        return { plain, changed: changed! };
      },
    },
  };
}

const mostPushed = 3;

function variantAnswer(
  { intervention, variant }: PlannedVariant,
  tally: VariantTally,
  { gaps, reliance, none, verdict }: JudgedVariant,
  classNames: readonly string[],
): VariantAnswer {
  const { images, without, right, flips, probability, pushed, pushedByControl, seen } = tally;
  const some = images > 0;
  const share = (count: number) => count / images;
  const interval = ({ difference, low, high }: { difference: number; low: number; high: number }): IntervalOf => ({
    value: difference,
    low,
    high,
  });
  const order = [...pushed.keys()].filter((k) => pushed[k]! > 0).sort((a, b) => pushed[b]! - pushed[a]! || a - b);
  return {
    intervention: intervention.name,
    variant: variant.name,
    images,
    without,
    accuracy: some
      ? { plain: share(right.plain), changed: share(right.changed), control: share(right.control) }
      : null,
    gap: some ? interval(gaps.changed) : null,
    controlGap: some ? interval(gaps.control) : null,
    lessControl: some ? interval(gaps.lessControl) : null,
    flips: { lost: flips.changed.lost, won: flips.changed.won },
    probabilityChange: some ? probability.changed.mean : null,
    probabilityLessControl: some ? probability.lessControl.mean : null,
    pushesTo: order.slice(0, mostPushed).map((k) => ({
      class: classNames[k]!,
      images: pushed[k]!,
      byControl: pushedByControl[k]!,
    })),
    adjusted: { reliance, none },
    verdict,
    shown: seen,
  };
}

function markedAnswer(
  { classes }: ReturnType<typeof findMarkedClasses>,
  { marks: sums, tallies }: MeasuredModel,
  { variants }: InterventionPlan,
  adjusted: number,
  {
    marks,
    alpha,
    threshold,
    classNames,
    asked,
    labelled,
  }: {
    marks: readonly string[];
    alpha: number;
    threshold: number;
    classNames: readonly string[];
    asked: number | undefined;
    labelled: boolean;
  },
): MarkedAnswer {
  const rows = (k: number): AskedMark[] =>
    marks.map((mark, m) => {
      const one = sums.of(m, k);
      const tally = tallies[variants.findIndex(({ variant }) => variant.marks && variant.name === mark)]!;
      const { plain, changed } = tally.right;
      return {
        mark,
        accuracy: labelled ? plain / tally.images : null,
        probability: one.probability,
        accuracyGap: (changed - plain) / tally.images,
        gain: one.gain,
        accuracyGapInClass: one.accuracyGapInClass,
        gainInClass: one.gainInClass,
      };
    });
  // Where even the largest gain surely stays below what matters, there is none.
  const below = classes.every(({ lessControl }) => lessControl.high < threshold);
  const found = adjusted < alpha;
  return {
    marks,
    classes: classes.map((one) => ({ ...one, found: one.found && found })),
    adjusted,
    verdict: found ? "reliance" : below ? "none" : "cannot be told",
    asked: asked === undefined ? undefined : { class: classNames[asked]!, rows: rows(asked) },
  };
}

function imagesOf({ splits, images, name }: Dataset, split: string | undefined): Uint32Array {
  const all = Uint32Array.from({ length: images.count }, (_, i) => i);
  if (split === undefined) return all;
  const code = splits.names.indexOf(split);
  const found = all.filter((i) => splits.values[i] === code);
  if (code >= 0 && found.length > 0) return found;
  throw new CuelabError({
    kind: "usage",
    what: code < 0 ? `the data has no split "${split}"` : `the split "${split}" has no images`,
    where: name,
    expected: `one of: ${splits.names.join(", ")}`,
  });
}

function classCode(classNames: readonly string[], name: string): number {
  const code = classNames.indexOf(name);
  if (code >= 0) return code;
  throw new CuelabError({
    kind: "usage",
    what: `the model has no class "${name}"`,
    expected: `one of: ${classNames.slice(0, 20).join(", ")}${classNames.length > 20 ? ", …" : ""}`,
  });
}

function severalSizes(name: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "an audit changes images of one size",
    where: name,
    todo: "convert the data with --size",
  });
}
