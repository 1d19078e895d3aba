import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { findRun, perhapsRun } from "./find-run.ts";
import { listAllRuns } from "./listed-runs.ts";
import { RunFolder, runFiles } from "./run-folder.ts";
import { logEnd, logFile, logNote, logStart, readLog, thisCommand } from "./run-log.ts";

const root = temporaryFolder();

async function begun(name: string, { force = false } = {}) {
  const path = join(root, name);
  const folder = await RunFolder.open(path, { data: {} }, { force });
  await logStart(path, { command: "cuelab train", sweep: "s", label: name }, { force });
  return { folder, path };
}

test("a run is running, interrupted, failed or finished, by its lock, its log and its manifest", async () => {
  const states = async () =>
    Object.fromEntries(
      (await listAllRuns(root)).map(({ folder, state }) => [folder.slice(root.length + 1), state]),
    );
  const one = await begun("one");
  expect(await states()).toEqual({ one: "running" });
  // Killed: nothing is said at the end.
  one.folder.close();
  expect(await states()).toEqual({ one: "interrupted" });
  const again = await begun("one");
  await logEnd(again.path, "failed", "the loss exploded");
  again.folder.close();
  expect(await states()).toEqual({ one: "failed" });
  const [failed] = await listAllRuns(root);
  expect(failed).toMatchObject({
    error: "the loss exploded",
    label: "one",
    sweep: "s",
    accuracy: [],
    epoch: null,
  });
  const last = await begun("one");
  await last.folder.write(runFiles.results, JSON.stringify({ epoch: 1, accuracy: [] }));
  await last.folder.finish("0");
  await logEnd(last.path, "finished");
  last.folder.close();
  expect(await states()).toEqual({ one: "finished" });
  const events = readLog(join(root, "one"));
  const [finished] = await listAllRuns(root);
  expect(finished).toMatchObject({ started: events[0]!.at, ended: events.at(-1)!.at, error: null });
});

test("what was before --force is another run, but its notes stay; half a line is no event", async () => {
  const { folder, path } = await begun("forced");
  await logNote(path, "too high\nsee the loss");
  await logEnd(path, "failed", "exploded");
  folder.close();
  const { folder: over } = await begun("forced", { force: true });
  over.close();
  appendFileSync(join(path, logFile), '{"event":"ended","at":');
  const run = (await listAllRuns(path))[0]!;
  expect(run).toMatchObject({ state: "interrupted", error: null, notes: ["too high\nsee the loss"] });
  expect(run.started).toBe(readLog(path).findLast(({ event }) => event === "started")!.at);
});

test("the beginning of an id names the one run that has it; anything else is no run there", () => {
  for (const id of ["0123456789abcdef", "0123aaaaaaaaaaaa"]) {
    mkdirSync(join(root, "ids", id), { recursive: true });
    appendFileSync(join(root, "ids", id, runFiles.spec), "{}");
  }
  mkdirSync(join(root, "ids", "0123bbbbbbbbbbbb"));
  expect(findRun(join(root, "ids", "01234"))).toBe(join(root, "ids", "0123456789abcdef"));
  expectError(() => findRun(join(root, "ids", "0123")), "input", "several runs begin with 0123");
  expectError(() => findRun(join(root, "ids", "99f")), "input", "no run there");
  expectError(() => findRun(join(root, "ids", "fff", "fff")), "input", "no run there");
  expect(perhapsRun(join(root, "predictions.csv"))).toBe(join(root, "predictions.csv"));
});

test("the command can be typed again", () => {
  expect(thisCommand(["node", "/x/dist/program/main.js", "train", "--out", "my runs/a"])).toBe(
    "cuelab train --out 'my runs/a'",
  );
  expect(thisCommand(["node", "/home/me/script.mjs"])).toBe("script.mjs");
});
