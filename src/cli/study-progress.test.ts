import { expect, test } from "vitest";
import type { Session } from "./program.ts";
import { studyHooks } from "./study-progress.ts";

test("each kind of work has a line of its own, whose time left counts from its own start", () => {
  const begun: string[] = [];
  const line = { relabel: () => {}, update: () => {}, stop: () => {} };
  const console = {
    progress: (label: string) => {
      begun.push(label);
      return line;
    },
  };
  const { hooks } = studyHooks(
    { workers: 1 } as Parameters<typeof studyHooks>[0],
    { console } as unknown as Session,
  );
  for (const done of [1, 2]) hooks.onWork?.("features of a", done, 2, "images");
  for (const done of [1, 2]) hooks.onWork?.("measuring", done, 2, "runs");
  expect(begun).toEqual(["features of a", "measuring"]);
});
