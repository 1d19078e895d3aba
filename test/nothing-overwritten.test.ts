/** Nothing is overwritten without --force, of two that write to one place one is told, and what appears meanwhile stays. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAssignments } from "../src/core/settings.ts";
import { datasets } from "../src/datasets/index.ts";
import { Lock, lockName } from "../src/disk/lock.ts";
import { formats } from "../src/formats/index.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { openPoolFolder } from "../src/pools/pool-folder.ts";
import { RunFolder } from "../src/runs/run-folder.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";
import { cuelabHere as cuelab } from "./helpers/in-process.ts";

const root = temporaryFolder();
const tiny = ["--set", "trainPerEnvironment=20"];
/** Runs as an earlier version has left them. */
const runs = join(root, "runs");
cpSync(new URL("./golden/format-4/run", import.meta.url), join(runs, "r"), { recursive: true });

const accuracies = join(root, "accuracies.csv");
writeFileSync(accuracies, "model,id,ood\na,0.6,0.5\nb,0.7,0.65\nc,0.8,0.7\nd,0.9,0.8\n");

/** A command, and the file that it writes; `other` makes other content. */
const writers: [string, string, (out: string) => string[]][] = [
  ["runs export", "t.tex", (out) => ["runs", "export", runs, "--format", "latex", "--out", out]],
  ["data preview", "sheet.png", (out) => ["data", "preview", "colored-mnist", ...tiny, "--out", out]],
];

test.each(writers)("%s --out writes over nothing without --force", async (name, file, words) => {
  const home = join(root, name.replace(" ", "-"));
  mkdirSync(home);
  const out = join(home, file);
  writeFileSync(out, "years of work");
  await expect(cuelab(...words(out))).rejects.toThrow(/there is a file already[\s\S]*--force/);
  expect(readFileSync(out, "utf8")).toBe("years of work");
  await cuelab(...words(out), "--force");
  const made = readFileSync(out);
  expect(made.toString("latin1")).not.toBe("years of work");
  // Also over its own: another table or picture may have been meant.
  await expect(cuelab(...words(out))).rejects.toThrow(/--force/);
  await expect(cuelab(...words(home), "--force")).rejects.toThrow(
    /folder already where a file is needed|PNG/,
  );
  expect(readFileSync(out)).toEqual(made);
  expect(readdirSync(home)).toEqual([file]);
});

/** Commands that fill a folder, and a file of it. */
const fillers: [string, string, (out: string) => string[]][] = [
  ["simulate", "simulation.json", (out) => ["simulate", "reflection", "--out", out]],
  [
    "line",
    "1-ood-on-id-line.svg",
    (out) => ["line", accuracies, "--id", "id", "--ood", "ood", "--plots", out],
  ],
];

test.each(fillers)(
  "%s makes its own files again, and leaves changed and other ones",
  async (name, file, words) => {
    const out = join(root, `filled-${name}`);
    await cuelab(...words(out), "-q");
    const own = existsSync(join(out, file)) ? file : readdirSync(out).find((one) => one.endsWith(".svg"))!;
    const made = readFileSync(join(out, own), "utf8");
    writeFileSync(join(out, "notes.txt"), "mine");
    await cuelab(...words(out), "-q");
    writeFileSync(join(out, own), "edited by hand");
    await expect(cuelab(...words(out), "-q")).rejects.toThrow(/changed since it was made[\s\S]*--force/);
    expect(readFileSync(join(out, own), "utf8")).toBe("edited by hand");
    await cuelab(...words(out), "-q", "--force");
    expect(readFileSync(join(out, own), "utf8").slice(0, 20)).toBe(made.slice(0, 20));
    expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("mine");
    const elsewhere = join(root, `taken-${name}`);
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, own), "somebody else's");
    await expect(cuelab(...words(elsewhere), "-q")).rejects.toThrow(/there is a file already[\s\S]*--force/);
    expect(readFileSync(join(elsewhere, own), "utf8")).toBe("somebody else's");
  },
);

interface Making {
  format?: string;
  force?: boolean;
  seed?: number;
  /** Happens when the images are made, and the dataset is not yet in its place. */
  meanwhile?: () => Promise<void> | void;
}

async function make(out: string, { format = "folder", force = false, seed = 0, meanwhile }: Making = {}) {
  const definition = datasets.get("colored-mnist");
  const settings = parseAssignments(definition.settings, ["trainPerEnvironment=20"]);
  const chosen = formats.get(format);
  const createWriter: typeof chosen.createWriter = async (...given) => {
    const writer = await chosen.createWriter(...given);
    const finish = async () => {
      const files = await writer.finish();
      await meanwhile?.();
      return files;
    };
    return { write: (chunk) => writer.write(chunk), finish, abort: () => writer.abort() };
  };
  return writeDataset(await definition.build(settings, seed), {
    out,
    format: { ...chosen, createWriter },
    encoding: chosen.encodings[0]!,
    force,
    workers: 0,
  });
}

test("a folder that appears while a dataset is made stays as it is, and the maker is told", async () => {
  const home = join(root, "appears");
  mkdirSync(home);
  const out = join(home, "D");
  const making = make(out, {
    meanwhile: () => {
      mkdirSync(out);
      writeFileSync(join(out, "thesis.txt"), "years of work");
    },
  });
  await expect(making).rejects.toThrow(/appeared while it was being made[\s\S]*nothing was deleted/);
  expect(fingerprint(home)).toHaveProperty("D/thesis.txt");
  expect(readdirSync(home)).toEqual(["D"]);
});

test("a file put into a dataset while it is made again with --force stays, with the dataset around it", async () => {
  const home = join(root, "put-into");
  mkdirSync(home);
  const out = join(home, "D");
  await make(out);
  const before = fingerprint(out);
  const making = make(out, {
    force: true,
    seed: 1,
    meanwhile: () => writeFileSync(join(out, "notes.txt"), "mine"),
  });
  await expect(making).rejects.toThrow(/other files beside the dataset[\s\S]*notes\.txt/);
  expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("mine");
  expect(fingerprint(out)).toMatchObject(before);
  expect(readdirSync(home)).toEqual(["D"]);
});

test.each(["folder", "parquet", "webdataset", "npz"])(
  "--force replaces a dataset (%s), and refuses one with other files in it",
  async (format) => {
    const out = join(root, `foreign-${format}`);
    await make(out, { format });
    await make(out, { format, force: true, seed: 1 });
    mkdirSync(join(out, "code"));
    writeFileSync(join(out, "code/a.py"), "print()");
    await expect(make(out, { format, force: true })).rejects.toThrow(
      /other files beside the dataset[\s\S]*code\/a\.py/,
    );
    expect(readFileSync(join(out, "code/a.py"), "utf8")).toBe("print()");
    expect(existsSync(join(out, "dataset.json"))).toBe(true);
  },
);

test("of two that make one dataset at once, the second is told at once who the first is", async () => {
  const home = join(root, "two");
  mkdirSync(home);
  const out = join(home, "D");
  let told: unknown;
  await make(out, {
    meanwhile: async () => {
      told = await make(out).catch((cause: unknown) => cause);
    },
  });
  expect(String(told)).toMatch(
    new RegExp(`another process is working on this dataset[\\s\\S]*process ${process.pid} on`),
  );
  expect(readdirSync(home)).toEqual(["D"]);
});

/** Commands whose folders are known by one file, and that file as another program might have written it. */
const known: [string, string, (out: string, force: boolean) => Promise<unknown>][] = [
  ["train", "spec.json", (out, force) => RunFolder.open(out, {}, { force })],
  ["pool run", "pool.json", (out, force) => openPoolFolder({ out, force }, "mine", {})],
];

test.each(known)("%s --force takes no other program's %s for its own", async (name, file, open) => {
  const out = join(root, `others-${name}`);
  mkdirSync(out);
  const theirs = { [file]: '{"openapi": "3.1"}', "results.json": "years of work", "accuracies.csv": "more" };
  for (const [each, text] of Object.entries(theirs)) writeFileSync(join(out, each), text);
  for (const force of [false, true]) await expect(open(out, force)).rejects.toThrow(/cuelab did not write/);
  for (const [each, text] of Object.entries(theirs)) expect(readFileSync(join(out, each), "utf8")).toBe(text);
  // Alone in its folder too.
  const alone = join(root, `alone-${name}`);
  mkdirSync(alone);
  writeFileSync(join(alone, file), theirs[file]!);
  await expect(open(alone, false)).rejects.toThrow(/cuelab did not write/);
  expect(readFileSync(join(alone, file), "utf8")).toBe(theirs[file]);
});

test("a pool that another process has made while this one waited for the folder stays", async () => {
  const out = join(root, "waited-for");
  mkdirSync(out);
  const held = await Lock.take(join(out, lockName), "pool");
  const waiting = openPoolFolder({ out, force: false }, "mine", { id: "mine" });
  writeFileSync(join(out, "pool.json"), '{"cuelabPool": 1, "id": "theirs"}');
  held.release();
  await expect(waiting).rejects.toThrow(/another pool is there already/);
  expect(readFileSync(join(out, "pool.json"), "utf8")).toMatch(/theirs/);
  expect(readdirSync(out)).toEqual(["pool.json"]);
});
