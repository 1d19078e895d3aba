/** What was written is what is read: no flipped bit becomes a number, and one bad run takes nothing down. */

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { CuelabError } from "../src/core/errors.ts";
import { parseAssignments } from "../src/core/settings.ts";
import { datasets } from "../src/datasets/index.ts";
import { digestOf, sealed, unsealed } from "../src/disk/vouched.ts";
import { generalFormats } from "../src/formats/index.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { decodeRows, encodePart } from "../src/pools/pool-table.ts";
import { openFeatures } from "../src/runs/feature-folder.ts";
import { FeatureWriter } from "../src/runs/feature-writer.ts";
import { verify } from "../src/runs/verify.ts";
import { finishedSweep, writeSweepRecord } from "../src/sweeps/sweep-record.ts";
import { keptFeatures } from "../src/training/features/kept-features.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { cuelabHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const runs = join(root, "runs");
const [good, bad] = [join(runs, "good"), join(runs, "bad")];

/** As this version writes it: sealed. */
beforeAll(() => {
  for (const run of [good, bad]) {
    cpSync(new URL("./golden/format-4/run", import.meta.url), run, { recursive: true });
    const manifest = join(run, "manifest.json");
    writeFileSync(manifest, sealed(unsealed(readFileSync(manifest, "utf8"), manifest)));
  }
});

/** One bit of a file, at the k-th of `of` places over its length; undone by what is returned. */
function flip(path: string, k: number, of: number): () => void {
  const before = readFileSync(path);
  const changed = Buffer.from(before);
  const at = Math.floor(((k + 0.5) / of) * changed.length);
  changed[at] = changed[at]! ^ (1 << (k % 8));
  writeFileSync(path, changed);
  return () => writeFileSync(path, before);
}

/** Flips bits over all files below a folder; what is read then is refused, or the same as before. */
async function silentFlips(folder: string, each: number, read: () => Promise<string>, except?: RegExp) {
  const calm = await read();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(folder, name)).isFile() && except?.test(name) !== true,
  );
  const outcomes = { refused: 0, same: 0, silent: [] as string[] };
  for (const name of files)
    for (let k = 0; k < each; k++) {
      const undo = flip(join(folder, name), k, each);
      const found = await read().catch((cause: Error) => {
        expect(cause.name, `${name} ${k}: ${cause.stack}`).toBe("CuelabError");
        return undefined;
      });
      undo();
      if (found === undefined) outcomes.refused++;
      else if (found === calm) outcomes.same++;
      else outcomes.silent.push(`${name} at ${k} of ${each}`);
    }
  expect(outcomes.silent).toEqual([]);
  return outcomes;
}

/** Flips a file; CUELAB_FLIPS asks for the long form. */
const flips = Number(process.env.CUELAB_FLIPS ?? 8);

describe("no flipped bit becomes a number", () => {
  test("of a run, in eval", async () => {
    const read = () => cuelabHere("eval", good, "--json");
    const { refused } = await silentFlips(good, flips, read);
    // All of the predictions, at least.
    expect(refused).toBeGreaterThanOrEqual(flips);
  });

  test("of a run, in runs list, show and compare", async () => {
    const read = async () => {
      const { code, stdout } = await ranHere(["runs", "compare", good, "--json"]);
      if (code !== 0) throw new CuelabError({ kind: "input", what: "left out" });
      const listed = JSON.parse(await cuelabHere("runs", "list", good, "--json")) as { accuracy: object }[];
      return stdout + JSON.stringify(listed[0]!.accuracy) + (await cuelabHere("runs", "show", good));
    };
    const { refused } = await silentFlips(good, flips, read, /onnx|safetensors|parquet/);
    expect(refused).toBeGreaterThanOrEqual(2 * flips);
  });

  test("of features", async () => {
    const out = join(root, "F");
    const dataset = await smallDataset();
    const writer = await FeatureWriter.create(out, dataset, 3, { force: false });
    await writer.write(new Float32Array(dataset.images.count * 3).fill(0.5));
    const source = { model: "m", options: {}, head: "h", weights: null, seed: 0, data: "d" };
    await writer.finish(source);
    const read = async () => JSON.stringify(await openFeatures(out, { most: 1e9 }));
    expect((await silentFlips(out, 2 * flips, read)).refused).toBeGreaterThanOrEqual(5 * flips);
  });

  test("of a pool's parts, and of features that a pool keeps", async () => {
    const parts = join(root, "parts");
    mkdirSync(parts);
    const rows = Array.from({ length: 40 }, (_, i) => ({
      classifier: String(i),
      family: "logistic",
      in_a: i / 41,
    }));
    const path = join(parts, "part.parquet");
    writeFileSync(path, await encodePart(rows));
    const read = async () => JSON.stringify(await decodeRows(path));
    // Every byte.
    const each = statSync(path).size;
    expect((await silentFlips(parts, each, read)).refused).toBeGreaterThan(0.9 * each);

    const kept = join(root, "kept");
    const images = {
      shape: { height: 1, width: 1, channels: 3 as const },
      count: 2,
      data: new Uint8Array(6),
    };
    const network = async () =>
      ({
        width: 3,
        batch: 2,
        run: async () => new Float32Array(6).fill(0.5),
        close: async () => undefined,
      }) as never;
    const features = async () =>
      JSON.stringify((await keptFeatures(images, { path: join(kept, "f.npy"), network })).values);
    await features();
    await silentFlips(kept, 100, features);
  });

  test("of a sweep's record", async () => {
    const folder = join(root, "sweep");
    const entry = { label: "a", trials: [{ id: "x", point: {}, score: 0.5 }], chosen: {}, runs: [] };
    await writeSweepRecord(folder, "s", { sweep: { name: "s" }, outcome: { entries: [entry] } });
    const { refused } = await silentFlips(folder, 200, async () =>
      JSON.stringify(await finishedSweep(folder, "s")),
    );
    expect(refused).toBeGreaterThan(100);
  });

  test.each(generalFormats.map(({ name }) => name))(
    "of a dataset (%s)",
    async (name) => {
      const out = join(root, `D-${name}`);
      const format = generalFormats.find((each) => each.name === name)!;
      await writeDataset(await smallDataset(), {
        out,
        format,
        encoding: format.encodings[0]!,
        force: false,
        workers: 0,
      });
      const read = async () => {
        const { dataset } = await openDataset(out);
        const { images, labels, attributes, splits, classNames } = dataset;
        const pixels: string[] = [];
        for (let i = 0; i < images.count; i += 7) pixels.push(digestOf((await images.pixels(i)).data));
        await images.close?.();
        return JSON.stringify([labels, attributes, splits, classNames, pixels]);
      };
      // Every seventh of the images that are files of their own, and no pages that nobody reads.
      await silentFlips(
        out,
        flips,
        read,
        /\d[1-9]\.png$|\.md$|croissant|contact|^(train|val|test)\/metadata/,
      );
    },
    60_000,
  );
});

async function smallDataset() {
  const definition = datasets.get("colored-mnist");
  return definition.build(parseAssignments(definition.settings, ["trainPerEnvironment=20"]), 0);
}

describe("one bad run", () => {
  test.each([
    ["results.json", "null"],
    ["results.json", '{"accuracy": 3}'],
    ["spec.json", "[]"],
    ["spec.json", "{}"],
    ["manifest.json", '{"files":null}'],
    ["manifest.json", "null"],
    ["manifest.json", '{"cuelabRun": 4, "id": "x", "files": {"results.json": 3}}'],
  ])("with %s of %s is listed as damaged, and left out of tables", async (name, text) => {
    const path = join(bad, name);
    const before = readFileSync(path);
    writeFileSync(path, text);
    try {
      const listed = JSON.parse(await cuelabHere("runs", "list", runs, "--json")) as {
        folder: string;
        state: string;
        error: string | null;
      }[];
      const states = Object.fromEntries(listed.map(({ folder, state }) => [folder, state]));
      expect(states).toEqual({ [bad]: "damaged", [good]: "finished" });
      expect(listed.find(({ folder }) => folder === bad)!.error).toContain(name);
      for (const words of [["compare"], ["export", "--format", "csv"]]) {
        const { code, stdout, stderr } = await ranHere(["runs", words[0]!, runs, ...words.slice(1)]);
        expect([code, stderr]).toEqual([4, expect.stringMatching(/bad is damaged and left out/)]);
        expect(stdout).not.toBe("");
      }
    } finally {
      writeFileSync(path, before);
    }
  });
});

describe("cuelab verify", () => {
  interface Thing {
    folder: string;
    state: string;
    problems: string[];
    strangers: string[];
    todo: string | null;
  }
  const verified = async (...folders: string[]) => {
    const { code, stdout } = await ranHere(["verify", ...folders, "--json", "--workers", "1"]);
    return { code, things: JSON.parse(stdout) as Thing[] };
  };

  test("finds all whole, then names what is damaged, missing and strange, with what to do", async () => {
    expect(await verified(runs)).toMatchObject({ code: 0, things: [{ state: "whole" }, { state: "whole" }] });
    const copy = join(root, "copy");
    cpSync(runs, copy, { recursive: true });
    flip(join(copy, "bad/model.onnx"), 1, 3);
    rmSync(join(copy, "bad/history.csv"));
    writeFileSync(join(copy, "bad/notes.txt"), "mine");
    const { code, things } = await verified(copy);
    expect(code).toBe(3);
    expect(things[0]).toMatchObject({
      state: "damaged",
      problems: expect.arrayContaining([
        expect.stringMatching(/^model\.onnx: other bytes/),
        "history.csv is missing",
      ]),
      strangers: ["notes.txt"],
      todo: expect.stringMatching(/--force/),
    });
    expect(things[1]).toMatchObject({ state: "whole", strangers: [], todo: null });
  });

  test("looks at datasets image by image", async () => {
    const out = join(root, "V");
    const format = generalFormats[0]!;
    const written = { out, format, encoding: "png", force: false, workers: 0 } as const;
    await writeDataset(await smallDataset(), written);
    const state = async () => (await verify(out, { workers: 0 }))[0]!.state;
    expect(await state()).toBe("whole");
    const undo = flip(join(out, "train/000000.png"), 5, 9);
    expect(await state()).toBe("damaged");
    undo();
    rmSync(join(out, "train/000001.png"));
    expect(await state()).toBe("damaged");
  });

  test("refuses a folder of which nothing is known", async () => {
    mkdirSync(join(root, "empty"));
    const { code, stderr } = await ranHere(["verify", join(root, "empty")]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/nothing here says what its files should be/)]);
  });
});
