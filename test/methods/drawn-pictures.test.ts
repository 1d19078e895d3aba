/** What runs of methods that make pictures leave: pictures of images that were not trained on, numbers of codes, terms of losses. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf } from "../../src/audits/ask.ts";
import { predictionsAudit } from "../../src/audits/predictions/audit.ts";
import { handful } from "../../src/contracts/handful.ts";
import { smallRun } from "../../src/contracts/small-run.ts";
import { galleriesOf } from "../../src/core/section.ts";
import { decodePng } from "../../src/images/png.ts";
import { RunFolder } from "../../src/runs/run-folder.ts";
import { type RunSpecInput, resolveSpec } from "../../src/training/run-spec.ts";
import { temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();
const side = 14;
/** Between the images of a picture. */
const gutter = 2;

const specOf = (method: RunSpecInput["method"], more: Partial<RunSpecInput> = {}): RunSpecInput => ({
  data: { name: "colored-mnist", identity: "pictures" },
  model: { name: "vae-encoder", options: { width: 4, dense: 8 } },
  method: method!,
  batchSize: 8,
  epochs: 2,
  seed: 3,
  threads: 1,
  ...more,
});

/** Pixels of the image in this row and column of a picture. */
function imageAt(
  { data, width }: { data: Uint8Array; width: number },
  row: number,
  column: number,
): number[] {
  const pixels: number[] = [];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const at = ((gutter + row * (side + gutter) + y) * width + gutter + column * (side + gutter) + x) * 3;
      pixels.push(...data.subarray(at, at + 3));
    }
  return pixels;
}

test("an autoencoder's run draws reconstructions below their images and a row a number of the code", async () => {
  const dataset = await handful({});
  const out = join(root, "vae");
  const columns = new Map<string, string[]>();
  const results = await smallRun(specOf({ name: "vae", settings: { latent: 3, decoderWidth: 4 } }), {
    out,
    dataset,
    hooks: {
      onEpoch: ({ stage, columns: own, valAccuracy }) => {
        columns.set(stage, Object.keys(own ?? {}));
        expect(valAccuracy === null).toBe(stage === "autoencoder");
      },
    },
  });
  expect([...columns.keys()]).toEqual(["autoencoder", "classes"]);
  expect(columns.get("autoencoder")).toEqual(["reconstruction", "divergence", "val_own_loss"]);
  expect(results!.numbers!.map(({ stage, name }) => `${stage}.${name}`)).toEqual([
    "classes.totalCorrelation",
    "classes.activeDimensions",
    "classes.divergence",
  ]);
  for (const { value } of results!.numbers!) expect(value).toBeGreaterThanOrEqual(0);

  const reconstructions = decodePng(readFileSync(join(out, "picture-reconstructions.png")))!;
  expect([reconstructions.width, reconstructions.height]).toEqual(
    [8, 2].map((n) => n * (side + gutter) + gutter),
  );
  const validation = [...dataset.labels.keys()].filter((i) => dataset.splits.values[i] === 1);
  // Classes in turn.
  const drawn = [0, 1].map((label) => validation.find((i) => dataset.labels[i] === label)!);
  for (const [column, index] of drawn.entries()) {
    const { data, channels } = await dataset.images.pixels(index);
    const seen = Array.from({ length: side * side }, (_, i) => [
      ...data.subarray(i * channels, (i + 1) * channels),
      ...(channels === 2 ? [0] : []),
    ]).flat();
    expect(imageAt(reconstructions, 0, column)).toEqual(seen);
    expect(imageAt(reconstructions, 1, column)).not.toEqual(seen);
  }
  const traversals = decodePng(readFileSync(join(out, "picture-traversals.png")))!;
  expect([traversals.width, traversals.height]).toEqual([11, 3].map((n) => n * (side + gutter) + gutter));
  expect(imageAt(traversals, 0, 0)).not.toEqual(imageAt(traversals, 0, 10));

  // A page about the run has them.
  const answered = await answerOf(
    predictionsAudit,
    { mistakes: 1, split: "val" },
    { tables: [out], imagesOfRun: async () => undefined },
  );
  const shown = galleriesOf(answered.sections()).find(({ name }) => name === "pictures")!.pictures;
  expect(shown.map(({ alt }) => alt.split(":")[0])).toEqual(["reconstructions", "traversals"]);
  const [{ draw }] = shown as [(typeof shown)[0]];
  expect(await draw()).toMatchObject({ width: reconstructions.width, height: reconstructions.height });

  // They are vouched for, and go with the run that is started over.
  const spec = resolveSpec(specOf({ name: "vae", settings: { latent: 3, decoderWidth: 4 } }));
  writeFileSync(join(out, "picture-traversals.png"), "another picture");
  await expect(RunFolder.readFinished(out, spec, "results.json")).rejects.toThrow(/picture-traversals\.png/);
  const folder = await RunFolder.open(out, spec, { force: true });
  folder.close();
  expect(existsSync(join(out, "picture-traversals.png"))).toBe(false);
});

test("a lens begins by changing nothing, and its picture shows that", async () => {
  const out = join(root, "lens");
  await smallRun(
    specOf(
      { name: "lens", settings: { lensWidth: 4, lensDepth: 1, lensRate: 1e-9 } },
      { model: { name: "mlp", options: { width: 8 } } },
    ),
    { out, dataset: await handful({}) },
  );
  const picture = decodePng(readFileSync(join(out, "picture-lens.png")))!;
  for (let column = 0; column < 8; column++)
    expect(imageAt(picture, 1, column)).toEqual(imageAt(picture, 0, column));
});

test("with so many steps both stages of an autoencoder take as many", async () => {
  const steps = new Map<string, number>();
  await smallRun(
    specOf({ name: "beta-vae", settings: { latent: 2, decoderWidth: 4 } }, { epochs: 9, steps: 5 }),
    {
      out: join(root, "steps"),
      dataset: await handful({}),
      hooks: {
        onProgress: ({ stage }) => void steps.set(stage!, (steps.get(stage!) ?? 0) + 1),
      },
    },
  );
  expect(Object.fromEntries(steps)).toEqual({ autoencoder: 5, classes: 5 });
});
