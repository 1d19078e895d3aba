/** Shortcuts that were found, in words, tables, charts and pictures. */

import { dotChart } from "../../charts/dot-chart.ts";
import { type Figure, percentCell, pointsCell, type Section, type Table } from "../../core/section.ts";
import { listText } from "../../core/words.ts";
import type { DiscoverAnswer, DiscoveredShortcut } from "./answer.ts";
import { removalWords } from "./measuring/removal.ts";
import { classifierSection } from "./show-classifiers.ts";
import { alikeSection, findingGalleries, leakSection } from "./show-images.ts";
import { withoutSection } from "./show-without.ts";

const mostRows = 40;
/** So few are shown whole. */
const fewRows = 8;
const mostSentences = 3;
const mostBars = 25;
/** Two differences of shares that are as large but for this say the same. */
const asFar = 0.05;

export function discoverInShort(answer: DiscoverAnswer): string[] {
  const { findings, thresholds, classifiers, lookAlikes, leaks, without, visible } = answer;
  const main = findings.filter(({ explainedBy }) => explainedBy === null);
  const classes = new Set(findings.map((each) => each.class)).size;
  const best = bestClassifier(answer);
  const points = (share: number) => `${Math.round(100 * share)} points`;
  return [
    findings.length === 0
      ? `No property goes with a class by ${points(thresholds.effect)} or more beyond chance${visible === null ? "; there are too few images to find any" : visible > thresholds.effect + 0.005 ? `; differences below ${points(visible)} could not have been found` : ""}.`
      : `${several(main.length, "thing gives", "different things give")} ${several(classes, "class", "classes")} of ${answer.classes.length} away. ${main
          .slice(0, mostSentences)
          .map((each) => sentence(each, likewise(each, findings)))
          .join(" ")}`,
    ...(best === undefined
      ? []
      : [
          `A tiny classifier reaches ${percent(best.accuracy)} (${percent(best.low)} to ${percent(best.high)}) from ${best.name} (${best.description}); guessing, ${percent(best.guessing)}.`,
        ]),
    ...(classifiers.length > 0 && best === undefined
      ? ["No tiny classifier does better than guessing."]
      : []),
    ...(lookAlikes.acrossSplits === 0
      ? []
      : [
          `${several(lookAlikes.acrossSplits, "picture lies", "pictures lie")} in more than one split, in copies that look the same.`,
        ]),
    ...leaks.map(
      ({ leaked, outside, share }) =>
        `${leaked.toLocaleString("en")} of ${outside.toLocaleString("en")} images outside of training share ${share} with training images.`,
    ),
    ...(without === null
      ? []
      : [
          `With ${without.removed.map((each) => removalWords[each]).join(", ")}: ${several(without.findings.length, "finding", "findings")} instead of ${findings.length}.`,
        ]),
  ];
}

/** The one that does best beyond guessing, by what is certain. */
function bestClassifier({ classifiers }: DiscoverAnswer) {
  return classifiers.filter(({ low, guessing }) => low > guessing).sort((a, b) => b.low - a.low)[0];
}

/** What it explains and goes with the class as far: whoever reads of bytes should hear of the format. */
function likewise(main: DiscoveredShortcut, findings: readonly DiscoveredShortcut[]): string {
  const others = findings.filter(
    (each) =>
      each.class === main.class && each.explainedBy === main.property && each.effect > main.effect - asFar,
  );
  return others.length === 0
    ? ""
    : ` (likewise ${listText(
        others.map(({ statement }) => statement),
        2,
      )})`;
}

function sentence({ class: name, statement, share, elsewhere }: DiscoveredShortcut, also: string): string {
  return `"${name}": ${statement}${also} in ${percent(share)} of its images, in ${percent(elsewhere)} of all others.`;
}

export function showDiscovery(answer: DiscoverAnswer): Section[] {
  return [
    aboutSection(answer),
    findingSection(answer),
    classifierSection(answer),
    ...alikeSection(answer),
    ...leakSection(answer),
    ...(answer.without === null ? [] : [withoutSection(answer, answer.without)]),
    settingsSection(answer),
  ];
}

function aboutSection({
  title,
  images,
  split,
  classes,
  clusters,
  broken,
  leftOut,
  untested,
}: DiscoverAnswer): Section {
  const smallest = [...classes].sort((a, b) => a.heldOut - b.heldOut)[0];
  return {
    name: "about",
    heading: title,
    facts: [
      [
        "images",
        `${images.toLocaleString("en")} of ${classes.length} classes, ${split === "all" ? "of all splits" : `split ${split}`}`,
      ],
      [
        "counted",
        `${clusters.count.toLocaleString("en")}, one of all that belong together by ${clusters.by.join(", ")}`,
      ],
      ["held out", `about half; fewest of ${smallest?.class ?? "–"}: ${smallest?.heldOut ?? 0}`],
      ...(untested.length === 0 ? [] : [["too few to judge", some(untested)] as const]),
      ...leftOut.map(({ of, why }) => [`no ${of} properties`, why] as const),
      ...(broken.length === 0
        ? []
        : [
            [
              "cannot be read",
              `${broken.length}, such as ${broken[0]!.image}: ${broken[0]!.reason}`,
            ] as const,
          ]),
    ],
  };
}

function findingSection(answer: DiscoverAnswer): Section {
  const { findings, thresholds, tests } = answer;
  const remarks = [
    "what goes with a class need not be used by a model: that takes an experiment on the model",
    `the value or range was chosen on one half of the images, all numbers are of the other half; ${tests.toLocaleString("en")} tests`,
  ];
  const rule = `at least ${Math.round(100 * thresholds.effect)} points apart, and false findings below ${percent(thresholds.rate)} (Benjamini–Yekutieli)`;
  if (findings.length === 0)
    return {
      name: "findings",
      heading: "What gives a class away",
      text: `Nothing: no property is ${rule}.`,
      remarks,
    };
  return {
    name: "findings",
    heading: "What gives a class away, strongest first",
    tables: [findingTable(findings, rule)],
    figures: [effectFigure(findings)],
    galleries: findingGalleries(answer),
    remarks: [
      ...remarks,
      ...(findings.some(({ explainedBy }) => explainedBy !== null)
        ? [
            "a stronger finding explains another where, among images that are alike in the stronger one, the other's difference is smaller than what is looked for; those are in the JSON",
          ]
        : []),
    ],
  };
}

function findingTable(findings: readonly DiscoveredShortcut[], rule: string): Table {
  return {
    name: "findings",
    caption: `Share of a class's images less that of all others, in points; ${rule}`,
    columns: ["class", "what", "of it", "of others", "difference", "from", "to", "p", "explained by"].map(
      (title) => ({ title }),
    ),
    rows: findings.map((finding) => {
      const { class: name, share, elsewhere, effect, low, high, adjusted, explainedBy } = finding;
      return {
        cells: [
          name,
          `${finding.statement}${explainedBy === null ? likewise(finding, findings) : ""}`,
          percentCell(share),
          percentCell(elsewhere),
          pointsCell(effect),
          pointsCell(low),
          pointsCell(high),
          { value: adjusted, text: adjusted < 0.001 ? "< 0.001" : adjusted.toFixed(3) },
          explainedBy ?? "",
        ],
      };
    }),
    ...unexplainedRows(findings),
  };
}

/** Whoever wants to know all that goes with a thing reads the files. */
function unexplainedRows(findings: readonly DiscoveredShortcut[]): Pick<Table, "shown"> {
  const own = [...findings.keys()].filter((i) => findings[i]!.explainedBy === null).slice(0, mostRows);
  if (own.length === findings.length || findings.length <= fewRows) return {};
  const why = `${own.length} of ${findings.length}: those that no stronger one explains`;
  return { shown: { rows: own, why } };
}

function effectFigure(findings: readonly DiscoveredShortcut[]): Figure {
  const some = findings.filter(({ explainedBy }) => explainedBy === null).slice(0, mostBars);
  return {
    name: "effects",
    caption: `How much more often images of a class have it than all others, with 95% intervals; ${some.length === findings.length ? "all findings" : "without those that a stronger one explains"}`,
    draw: () =>
      dotChart({
        description: some
          .map((each) => `${each.class}, ${each.statement}: ${Math.round(100 * each.effect)} points`)
          .join("; "),
        value: { title: "difference of shares", domain: [0, 1] },
        points: some.map((each) => ({
          row: `${each.class}: ${each.statement}`,
          series: "held-out images",
          value: each.effect,
          low: Math.max(0, each.low),
          high: each.high,
        })),
        width: 420,
      }),
  };
}

function settingsSection({ properties, thresholds, leftOut }: DiscoverAnswer): Section {
  const absent = new Set(leftOut.map(({ of }) => of));
  return {
    name: "settings",
    heading: "What was measured, and how it was judged",
    facts: [
      ...(["name", "file", "pixels", "features"] as const).flatMap((of) => {
        const own = properties.filter((property) => property.of === of && !absent.has(of));
        return own.length === 0 ? [] : [[`of ${of}`, own.map(({ name }) => name).join(", ")] as const];
      }),
      ["least difference", `${Math.round(100 * thresholds.effect)} points`],
      ["false findings", `at most ${percent(thresholds.rate)} of all, expected (${thresholds.by})`],
    ],
  };
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function several(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function some(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(", ")}, … (${names.length})` : names.join(", ");
}
