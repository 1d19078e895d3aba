/** The short form of `npm run faults`: a fixed choice of changes and faults; and that faults befall what they are meant for. */

import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/files.ts";
import { programHere } from "../helpers/in-process.ts";
import { faultCases } from "./cases.ts";
import { type Fault, faults } from "./fault.ts";
import { Host, start } from "./processes.ts";
import { Prepared } from "./trial.ts";

const root = temporaryFolder();
const host = new Host(root);
afterAll(() => host.end());

/** Commands whose writer another one's case stands for. */
const likeOthers = new Map([
  ["data stylise", "data watermark; it wants weights that nobody may hand on"],
  ["demo", "study run; it takes minutes"],
  ["study report", "study run"],
  ["data bias", "audit ask"],
]);

/** The first simulation, audit and so on stands for all of them. */
const family = (name: string) => name.replace(/^(simulate|audit) .*/, "$1");

test("every command that leaves files has a case", async () => {
  const leaving = (command: Command, path: readonly string[] = []): string[] => {
    const own = command.options.some(({ long }) => ["--out", "--plots"].includes(long ?? ""));
    const below = command.commands.flatMap((child) => leaving(child as Command, [...path, child.name()]));
    return own ? [path.join(" "), ...below] : below;
  };
  const cases = faultCases.map(({ words }) => words.join(" "));
  const without = leaving(await programHere()).filter(
    (name) => !likeOthers.has(name) && !cases.some((words) => words.startsWith(`${family(name)} `)),
  );
  expect(without).toEqual([]);
});

/** Which change, by what it is the last of. */
type Place = (changes: Prepared["changes"]) => number;
const last =
  (kind: string, path: RegExp): Place =>
  (changes) =>
    1 + changes.findLastIndex((change) => change.kind === kind && path.test(change.path));

const chosen: [string, [Fault, Place][]][] = [
  [
    "data make --force",
    [
      // Between the two moves of the folders, and while the former one goes.
      ["killed", last("rename", /^D$/)],
      ["killed", last("remove", /partial.*dataset\.json/)],
      ["torn", last("write", /metadata\.csv/)],
      ["vanished", last("link", /dataset\.json/)],
    ],
  ],
  // The file has its name, and the other name is still there.
  ["predict", [["killed", last("remove", /partial/)]]],
  // Everything is made, and what it cost is not yet written down.
  ["pool run", [["killed", last("create", /time\.json/)]]],
  [
    "train",
    [
      // Finished, but not yet tidied up.
      ["killed", last("remove", /run\.lock/)],
      ["torn", last("write", /manifest\.json/)],
      // The record of a lock that a disk takes only half of.
      ["full", last("write", /run\.lock/)],
      ["read-only", last("rename", /weights/)],
    ],
  ],
];

describe.each(chosen)("%s", (name, places) => {
  const of = faultCases.find((each) => each.name === name)!;
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await Prepared.make(of, join(root, name.replaceAll(/\W+/g, "-")));
  });

  test.each(places.map(([fault, place], index) => [index + 1, fault, place] as const))(
    "place %i: %s",
    async (_, fault, place) => {
      const at = place(prepared.changes);
      expect(at).toBeGreaterThan(0);
      expect((await prepared.disturbedAlone(fault, at)).problems).toEqual([]);
    },
  );
});

test("a process of many commands finds what processes of their own find", async () => {
  const of = faultCases.find(({ name }) => name === "plugin new")!;
  const prepared = await Prepared.make(of, join(root, "many"));
  for (const fault of faults) {
    const { problems } = await prepared.disturbed(fault, 2, host);
    expect([fault, ...problems]).toEqual([fault]);
  }
  // What was kept on the way is what a real kill leaves.
  expect((await prepared.disturbedAlone("torn", 2)).problems).toEqual([]);
  // Files of which a part is there are found by it as well.
  const wrong = { ...of, words: ["plugin", "new", "view", "mine", "--out", "mine.mjs", "-q"] };
  const other = await Prepared.make(wrong, join(root, "other"));
  Object.assign(other, { reference: prepared.reference });
  expect((await other.disturbed("killed", 3, host)).problems.join()).toMatch(/mine\.mjs: other bytes/);
});

test("what is wrong in the end is told", async () => {
  const of = faultCases.find(({ name }) => name === "data make --format npz")!;
  const prepared = await Prepared.make(of, join(root, "told"));
  const work = prepared.begin();
  const notes = mkdtempSync(join(root, "notes-"));
  const { signal } = await start(of.words, work, { root: work, notes, fault: "killed", at: 3 }).ended;
  expect([signal, readdirSync(notes).length]).toEqual(["SIGKILL", 3]);
  expect(prepared.different(work).join()).toMatch(/D\/dataset\.json: missing/);
});
