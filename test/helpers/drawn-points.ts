/** What a figure draws, for tests: every row of data anywhere in its chart, each once. */

import { figuresOf, type Section } from "../../src/core/section.ts";

interface Drawn {
  [key: string]: unknown;
  series?: string;
  row?: string;
  value?: number;
  published?: boolean;
}

export function drawnPoints(sections: readonly Section[], name: string): Drawn[] {
  const figure = figuresOf(sections).find((each) => each.name === name);
  if (figure === undefined) throw new Error(`no figure ${name}`);
  const found = new Map<string, Drawn>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { values } = (node as { data?: { values?: Drawn[] } }).data ?? {};
    // Reference lines have no series, and names at the ends of lines no value.
    for (const point of values ?? [])
      if ("series" in point && ("value" in point || "y" in point)) found.set(JSON.stringify(point), point);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(figure.draw());
  return [...found.values()];
}
