import { afterEach, expect, test, vi } from "vitest";
import { guardStreams } from "./streams.ts";

afterEach(() => vi.restoreAllMocks());

test("many runs in one process guard its streams once, and the last one tells what failed", () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  guardStreams(() => 1);
  const guards = process.stdout.listenerCount("error");
  const told: string[] = [];
  guardStreams((failure) => {
    told.push((failure as Error).message);
    return 5;
  });
  expect(process.stdout.listenerCount("error")).toBe(guards);
  process.stdout.emit("error", Object.assign(new Error("no room"), { code: "ENOSPC" }));
  expect(told.join()).toMatch(/the answer could not be written: the disk is full/);
  expect(exit.mock.calls).toEqual([[5]]);
});
