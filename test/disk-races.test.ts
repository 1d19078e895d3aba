/** Several processes at one place, and processes killed at any moment: one wins, others are told, nothing is half. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { fillFolder } from "../src/disk/fill-folder.ts";
import { type FolderContent, OutputFolder } from "../src/disk/output-folder.ts";
import { writeWhole } from "../src/disk/write-whole.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const worker = resolve(import.meta.dirname, "helpers/disk-worker.mjs");

interface Worker {
  child: ChildProcess;
  ready: Promise<void>;
  /** What it said of each round; empty where it was killed. */
  said: Promise<string[]>;
}

function start(what: string, place: string, name: string, rounds = 1): Worker {
  const child = spawn(process.execPath, [worker, what, place, name, String(rounds)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let out = "";
  const ready = new Promise<void>((done) => {
    child.stdout!.on("data", (text: Buffer) => {
      out += text.toString();
      if (out.includes("ready\n")) done();
    });
  });
  const said = new Promise<string[]>((done) => {
    child.on("close", () => done(JSON.parse(out.split("\n")[1] || "[]") as string[]));
  });
  return { child, ready, said };
}

/** Lets them all go at once, and returns what they said. */
async function race(workers: Worker[]): Promise<string[][]> {
  await Promise.all(workers.map(({ ready }) => ready));
  for (const { child } of workers) child.stdin!.write("go");
  return Promise.all(workers.map(({ said }) => said));
}

function newFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

test("of two that write a file of one name, one wins each time and the other is told", async () => {
  const place = newFolder("two-files");
  const rounds = 150;
  const [a, b] = (await race([start("file", place, "a", rounds), start("file", place, "b", rounds)])) as [
    string[],
    string[],
  ];
  for (let round = 0; round < rounds; round++) {
    const winner = a[round] === "done" ? "a" : "b";
    const loser = winner === "a" ? b[round] : a[round];
    expect(winner === "a" ? a[round] : b[round]).toBe("done");
    expect(loser).toMatch(/there is a file already[\s\S]*file-\d+[\s\S]*--force/);
    expect(readFileSync(join(place, `file-${round}`), "utf8")).toBe(winner.repeat(50_000));
  }
  expect(readdirSync(place)).toHaveLength(rounds);
});

test("of three that make a folder of one name, those that are told have changed nothing", async () => {
  const place = newFolder("folders");
  const names = ["a", "b", "c"];
  const said = await race(names.map((name) => start("folder", place, name, 12)));
  expect(said.flat()).toContain("done");
  for (const outcome of said.flat())
    expect(outcome).toMatch(/^done$|another process is working on this thing[\s\S]*process \d+ on/);
  const winner = readFileSync(join(place, "folder/thing.json"), "utf8");
  expect(readFileSync(join(place, "folder/part-0"), "utf8")).toBe(winner.repeat(20_000));
  expect(readdirSync(place)).toEqual(["folder"]);
});

test("behind a lock only one process works at a time, also when those that hold it are killed", async () => {
  const place = newFolder("counter");
  writeFileSync(join(place, "counter"), "000000");
  const living = ["a", "b"].map((name) => start("lock", place, name, 25));
  const dying = Array.from({ length: 4 }, () => start("lock", place, "dies"));
  const said = await race([...living, ...dying]);
  expect(
    said
      .slice(0, 2)
      .flat()
      .every((outcome) => outcome === "done"),
  ).toBe(true);
  expect(said.slice(2)).toEqual([[], [], [], []]);
  expect(Number(readFileSync(join(place, "counter"), "utf8"))).toBe(25 + 25 + 4);
  // The last one to be killed may have left its lock, which nobody respects.
  await race([start("lock", place, "a")]);
  expect(readdirSync(place)).toEqual(["counter"]);
});

describe("killed before every single change of the disk", () => {
  /**
   * Each time in a folder of its own, which is looked at, and where the same work is then done again. How many changes
   * there are shows when one is not killed any more.
   */
  async function killed(
    what: keyof typeof again,
    look: (place: string) => void,
    finished: readonly string[],
  ) {
    const former = newFolder(`${what}-former`);
    await again[what](former, "o");
    for (let change = 1; ; change++) {
      const place = join(root, `${what}-${change}`);
      cpSync(former, place, { recursive: true });
      const words = [worker, what, place, "n", "1", String(change)];
      const { stdout, signal, status } = spawnSync(process.execPath, words, { encoding: "utf8" });
      if (signal === null) {
        expect([status, stdout]).toEqual([0, '["done"]\n']);
        return change;
      }
      look(place);
      await again[what](place, "n");
      expect(readdirSync(place, { recursive: true, encoding: "utf8" }).sort(), String(change)).toEqual(
        finished,
      );
      look(place);
    }
  }

  const content: FolderContent = {
    name: "thing",
    already: "a thing is there already",
    ownIn: async (folder) =>
      existsSync(join(folder, "thing.json")) ? (path) => ["thing.json", "part-0"].includes(path) : undefined,
  };

  /** The same as in the worker. */
  const again = {
    over: (place: string, name: string) => writeWhole(join(place, "file"), name, { overwrite: true }),
    folder: async (place: string, name: string) => {
      const folder = await OutputFolder.create(join(place, "folder"), { force: true }, content);
      await folder.write("part-0", name.repeat(20_000));
      await folder.write("thing.json", name);
      await folder.commit();
    },
    fill: (place: string, name: string) =>
      fillFolder(join(place, "filled"), { by: "test", force: false }, (write) =>
        write("part-0", name.repeat(20_000)),
      ),
  };

  test("a file is the old or the new one", async () => {
    const look = (place: string) =>
      expect(readFileSync(join(place, "file"), "utf8")).toMatch(/^(o|n|n{200000})$/);
    expect(await killed("over", look, ["file"])).toBeGreaterThan(2);
  });

  test("a folder is the old or the new one, or waits to be put back", async () => {
    const look = (place: string) => {
      const aside = readdirSync(place).find((name) => name.endsWith("-old"));
      const folder = join(place, existsSync(join(place, "folder")) ? "folder" : aside!);
      const name = readFileSync(join(folder, "thing.json"), "utf8");
      expect(readFileSync(join(folder, "part-0"), "utf8")).toBe(name.repeat(20_000));
    };
    const finished = ["folder", "folder/part-0", "folder/thing.json"];
    expect(await killed("folder", look, finished)).toBeGreaterThan(15);
  });

  test("a report's files are known again, and made again", async () => {
    const look = (place: string) =>
      expect(readFileSync(join(place, "filled/part-0"), "utf8")).toMatch(/^(o{20000}|n{20000})$/);
    const finished = ["filled", "filled/.cuelab-made.json", "filled/part-0"];
    expect(await killed("fill", look, finished)).toBeGreaterThan(8);
  });
});

const disk = join(root, "disk");
const mounted = (() => {
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

// Mounting needs rights that not everybody has.
test.runIf(mounted)(
  "a full disk, and one that is read-only, are told, and what was there stays",
  async () => {
    try {
      writeFileSync(join(disk, "file"), "old");
      for (const [problem, said] of [
        ["full", /the disk is full[\s\S]*nothing half-made/],
        ["read-only", /the disk is read-only/],
      ] as const) {
        for (const what of ["over", "folder", "fill", "file"]) {
          const [[outcome]] = (await race([start(what, disk, "n".repeat(5))])) as [[string]];
          expect(outcome, `${problem} ${what}`).toMatch(said);
          rmSync(join(disk, "filled"), { recursive: true, force: true });
          expect(readdirSync(disk), `${problem} ${what}`).toEqual(["file"]);
          expect(readFileSync(join(disk, "file"), "utf8")).toBe("old");
        }
        if (problem === "full") execFileSync("mount", ["-o", "remount,ro", disk]);
      }
    } finally {
      execFileSync("umount", [disk]);
    }
  },
);
