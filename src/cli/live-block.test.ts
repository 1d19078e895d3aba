import { expect, test } from "vitest";
import { LiveBlock } from "./live-block.ts";

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 12, written, write: (text: string) => written.push(text) };
}

test("on a terminal the block replaces itself, cut to the width", () => {
  const terminal = stream(true);
  let now = 0;
  const block = new LiveBlock(terminal, () => now);
  block.update(() => ["one", "two"]);
  now = 100;
  block.update(() => ["too soon"]);
  now = 250;
  block.update(() => ["a line that is too long"]);
  block.clear();
  expect(terminal.written).toEqual(["one\ntwo\n", "\x1b[2A\x1b[0J", "a line that\n", "\x1b[1A\x1b[0J"]);
});

test("elsewhere the last line is written now and then", () => {
  const file = stream(false);
  let now = 0;
  const block = new LiveBlock(file, () => now);
  block.update(() => ["detail", "1/3 runs"]);
  now = 31_000;
  block.update(() => ["detail", "2/3 runs"]);
  block.clear();
  expect(file.written).toEqual(["2/3 runs\n"]);
});
