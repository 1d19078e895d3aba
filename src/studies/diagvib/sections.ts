/** The report's sections: without a shortcut, with nothing but it, and with opportunities of every kind. */

import type { Section } from "../../core/section.ts";
import { factors, type PublishedNetwork, type PublishedStudy } from "../../published/eulig-2021.ts";
import { aggregateMatrices, printedPairsTable } from "./beside-published.ts";
import { aggregateLines, matrixFigures, pairLines } from "./matrices.ts";
import { type DiagvibNetwork, networksSpelled } from "./networks.ts";
import type { DiagvibNumbers } from "./numbers.ts";
import { aggregateTable, hybridTable, pairTable, sumsTable, zsoTable } from "./tables.ts";

export function networkSections(numbers: DiagvibNumbers, networks: readonly DiagvibNetwork[]): Section[] {
  if (numbers.rows.length === 0) return [];
  const publishedOf = (row: string): PublishedNetwork | undefined =>
    networks.find(({ label }) => label === row)?.published;
  const has = (study: string) =>
    numbers.rows.some((row) => factors.some((factor) => numbers.cues(row, study, factor).length > 0));
  const part = (
    name: string,
    heading: string,
    text: string,
    studies: readonly PublishedStudy[],
  ): Section[] => {
    const there = studies.filter(has);
    if (there.length === 0) return [];
    return [
      {
        name,
        heading,
        text,
        tables: [
          ...there.map((study) => aggregateTable(numbers, networks, study)),
          ...there.flatMap((study) =>
            numbers.rows
              .filter((row) => factors.some((factor) => numbers.cues(row, study, factor).length > 0))
              .map((row) => pairTable(numbers, row, study)),
          ),
        ],
      },
    ];
  };
  const silent = numbers.rows.flatMap((row) => factors.flatMap((factor) => silence(numbers, row, factor)));
  return [
    {
      name: "zso",
      heading: "Is every factor told where there is no shortcut? (Table A2)",
      text: `A factor that is not learned here is told nothing of by pairs that it is in: findings leave them out.${spelledOf(numbers.rows, networks)}`,
      tables: [zsoTable(numbers, networks)],
      ...(silent.length > 0 && { remarks: silent }),
    },
    ...part(
      "zgo",
      "Which factor serves as a shortcut for which? (Table A3)",
      "In training the predicted factor and the cue always go together; asked are the combinations that training never had. Below chance the cue is " +
        "followed, far above it the factor is.",
      ["ZGO"],
    ),
    ...(has("ZGO") ? [{ name: "sums", heading: "", tables: [sumsTable(numbers)] } satisfies Section] : []),
    ...part(
      "cgo",
      "Are new combinations taken as an opportunity? (Tables A4 to A6)",
      "CGO-k adds k combinations to those of ZGO, each as frequent as the others.",
      ["CGO-1", "CGO-2", "CGO-3"],
    ),
    ...(has("CHGO")
      ? [
          {
            name: "chgo",
            heading: "Does what other classes show help the coupled one? (Table 2)",
            text: "One class always goes with one class of the cue; the two others go with both of the other classes.",
            tables: [hybridTable(numbers, networks)],
          } satisfies Section,
        ]
      : []),
    ...part(
      "fgo",
      "Are rare violations taken as an opportunity? (Tables A7 to A9)",
      "In FGO-f, f per cent of each class's training images break the pattern.",
      ["FGO-5", "FGO-10", "FGO-20"],
    ),
    {
      name: "figures",
      heading: "All pairs at a glance (Figures 4, 5, A5 to A8)",
      tables: printedPairsTable(numbers, networks),
      figures: [
        ...matrixFigures(numbers),
        ...aggregateMatrices(numbers, networks),
        ...pairLines(numbers),
        ...aggregateLines(numbers, publishedOf),
      ],
    },
  ];
}

/** Of the short names in the rows, ours and the paper's beside them. */
function spelledOf(rows: readonly string[], networks: readonly DiagvibNetwork[]): string {
  const words = networks
    .filter(({ label }) => rows.includes(label))
    .flatMap(({ label, published }) => `${label} ${published}`.match(/[\w-]+/g)!);
  const shown = Object.entries(networksSpelled).filter(([name]) => words.includes(name));
  return shown.length === 0 ? "" : ` ${shown.map(([name, meaning]) => `${name}: ${meaning}`).join("; ")}.`;
}

function silence(numbers: DiagvibNumbers, row: string, factor: (typeof factors)[number]): string[] {
  if (numbers.accuracies(row, "ZSO", factor).length === 0) return [];
  const why = numbers.unlearned(row, factor);
  return why === undefined ? [] : [`${why}: pairs with it tell nothing`];
}
