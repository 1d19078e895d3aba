/** What remains after something was taken away from all images, beside what was found before. */

import { percentCell, pointsCell, type Section } from "../../core/section.ts";
import type { DiscoverAnswer, DiscoveredShortcut } from "./answer.ts";
import { removalWords } from "./measuring/removal.ts";

export function withoutSection(
  answer: DiscoverAnswer,
  without: NonNullable<DiscoverAnswer["without"]>,
): Section {
  const key = (each: DiscoveredShortcut) => `${each.class} ${each.property}`;
  const after = new Map(without.findings.map((each) => [key(each), each]));
  const before = new Map(answer.findings.map((each) => [key(each), each]));
  const main = (found: typeof before) => [...found].filter(([, { explainedBy }]) => explainedBy === null);
  const all = [...new Set([...main(before), ...main(after)].map(([name]) => name))];
  const rates = new Map(without.classifiers.map((each) => [each.name, each]));
  const words = without.removed.map((each) => removalWords[each]).join(", ");
  return {
    name: "without",
    heading: `What remains with ${words}`,
    tables: [
      {
        name: "without-findings",
        caption:
          "Difference in points, before and after, of what no stronger finding explains; a dash is no finding",
        columns: ["class", "property", "before", "after", "then"].map((title) => ({ title })),
        rows: all.map((each) => {
          const [one, other] = [before.get(each), after.get(each)];
          const either = (one ?? other)!;
          return {
            cells: [
              either.class,
              either.property,
              pointsCell(one?.effect ?? null),
              pointsCell(other?.effect ?? null),
              other?.statement ?? "",
            ],
          };
        }),
      },
      {
        name: "without-classifiers",
        caption: "Accuracy of tiny classifiers, mean over classes, before and after, with its interval",
        columns: ["sees", "before", "after", "from", "to", "guessing"].map((title) => ({ title })),
        rows: answer.classifiers.map(({ name, accuracy, guessing }) => {
          const then = rates.get(name);
          return {
            cells: [
              name,
              ...[accuracy, then?.accuracy ?? null, then?.low ?? null, then?.high ?? null, guessing].map(
                percentCell,
              ),
            ],
          };
        }),
      },
    ],
  };
}
