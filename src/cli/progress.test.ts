import { expect, test } from "vitest";
import { duration } from "../core/duration.ts";
import { Progress } from "./progress.ts";

function recorded(isTTY: boolean, columns = 200) {
  const written: string[] = [];
  let now = 0;
  const progress = new Progress(
    { isTTY, columns, write: (text) => written.push(text) },
    "making",
    1000,
    "images",
    () => now,
  );
  return { progress, written, at: (ms: number) => (now = ms) };
}

test("on a terminal one line is redrawn with count, rate and time left", () => {
  const { progress, written, at } = recorded(true);
  at(50);
  progress.update(10);
  expect(written).toEqual([]);
  at(2000);
  progress.update(500);
  expect(written).toEqual([
    `\r\x1b[2Kmaking ${"█".repeat(10)}${"░".repeat(10)} 500/1,000 images  250/s  2.0 s left`,
  ]);
});

test.each([
  [60, /^making █+░+ 500\/1,000 images {2}250\/s {2}2\.0 s left$/],
  [40, /^making 500\/1,000 images {2}2\.0 s left$/],
  [32, /^ma 500\/1,000 images {2}2\.0 s left$/],
])("in a terminal of %i columns the bar gives way, then the label", (columns, line) => {
  const { progress, written, at } = recorded(true, columns);
  at(2000);
  progress.update(500);
  const shown = written[0]!.replace("\r\x1b[2K", "");
  expect(shown).toMatch(line);
  expect(shown.length).toBeLessThan(columns);
});

test("elsewhere there is a line every ten seconds and one at the end", () => {
  const { progress, written, at } = recorded(false);
  at(9000);
  progress.update(100);
  at(11_000);
  progress.update(200);
  at(20_000);
  progress.update(1000);
  progress.finish();
  expect(written).toHaveLength(2);
  expect(written[0]).toMatch(/200\/1,000 images {2}18\/s {2}44\.0 s left\n$/);
  expect(written[1]).toBe("making: 1,000 images in 20.0 s (50/s)\n");
});

test.each([
  [0.04, "0.0 s"],
  [59.94, "59.9 s"],
  [65, "1:05"],
  [7384, "2:03:04"],
])("%f seconds read %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
