/** Runs side by side, as text and as a page: what is best in a sentence, tables, learning curves, and what all of them share. */

import { basename, resolve } from "node:path";
import { bestSentence, markMeaning } from "../core/best-sentence.ts";
import type { Section } from "../core/section.ts";
import { leavesOf } from "../core/spec-differences.ts";
import { learningCurves } from "../runs/learning-curves.ts";
import type { AnswerPage } from "./as-html.ts";
import { type RunComparison, rowLabel, seedValuesOf } from "./comparison.ts";
import { comparisonTable } from "./comparison-formats.ts";

/** Tables with what is to be said below them. */
export function comparisonSections(comparisons: readonly RunComparison[]): Section[] {
  const several = comparisons.length > 1;
  const rules = [...new Set(comparisons.flatMap(({ rows }) => rows.map(({ selection }) => selection)))];
  return [
    ...comparisons.map((comparison) => ({
      name: `runs-${comparison.dataset}`,
      heading: several ? comparison.dataset : "",
      tables: [comparisonTable(comparison)],
    })),
    {
      name: "how",
      heading: "",
      text: [
        `★ ${markMeaning}`,
        `epochs chosen by: ${rules.join(" | ")}`,
        ...comparisonSentences(comparisons),
      ].join("\n"),
    },
  ];
}

/** One a dataset, of the slice that people ask for: test, or the last one. */
function comparisonSentences(comparisons: readonly RunComparison[]): string[] {
  return comparisons.map((comparison) => {
    const { dataset, slices, rows } = comparison;
    const slice = slices.find((name) => name === "test") ?? slices.at(-1) ?? "test";
    const ranked = rows.map((row) => ({
      label: rowLabel(comparison, row),
      values: seedValuesOf(row, slice),
    }));
    return `${comparisons.length > 1 ? `${dataset}: ` : ""}${bestSentence(ranked, `accuracy (${slice})`)}`;
  });
}

export function comparisonPage(comparisons: readonly RunComparison[], folder: string): AnswerPage {
  const runs = comparisons.flatMap(({ rows }) => rows.flatMap((row) => row.runs));
  const curves = comparisons.flatMap((comparison) => {
    const { dataset, rows } = comparison;
    const groups = rows.map((row) => ({
      label: rowLabel(comparison, row),
      folders: row.runs.map((run) => run.folder),
    }));
    return learningCurves(groups).map((figure) => ({ ...figure, name: `${figure.name}-${dataset}` }));
  });
  const [first, ...others] = runs.map(({ spec }) => leavesOf(spec));
  const shared = [...(first ?? [])].filter(([path, value]) => others.every((one) => one.get(path) === value));
  const sections = comparisonSections(comparisons).map((section, i) =>
    i === 0 && section.heading === "" ? { ...section, heading: "What was found" } : section,
  );
  return {
    title: "Runs side by side",
    lead: `${runs.length.toLocaleString("en")} runs of ${folderName(folder)}; those that differ in the seed alone are one row.`,
    inShort: [
      ...comparisonSentences(comparisons),
      ...comparisons.flatMap(({ remarks }) => remarks.map((remark) => `Remark: ${remark}.`)),
    ],
    sections: [
      ...sections.map((section) =>
        section.name === "how" ? { ...section, text: belowTables(section) } : section,
      ),
      ...(curves.length === 0 ? [] : [{ name: "curves", heading: "How it was learned", figures: curves }]),
      { name: "settings", heading: "What all runs share", facts: shared },
    ],
  };
}

/** The sentences stand on top of a page, where marks are bold. */
function belowTables({ text = "" }: Section): string {
  return [`Bold: ${markMeaning}`, ...text.split("\n").slice(1, 2)].join("\n\n");
}

/** A page is read elsewhere: there the current folder is another. */
function folderName(folder: string): string {
  return /^[./\\]+$/.test(folder) ? basename(resolve(folder)) || folder : folder;
}
