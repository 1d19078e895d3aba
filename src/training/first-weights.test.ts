import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { models } from "../models/index.ts";
import { wantedTensors } from "../models/weights/network-shape.ts";
import { encodeSafetensors } from "../runs/safetensors.ts";
import { firstWeights } from "./first-weights.ts";
import type { RunSpec } from "./run-spec.ts";

const root = temporaryFolder();

/** AlexNet with a stem, in a file that says so or does not, for a run with the stem for ImageNet. */
function specOf(stem: string, { told }: { told: boolean }): RunSpec {
  const options = { stem, width: 1, dropout: 0.5 };
  const image = { height: 64, width: 64, channels: 3 };
  const tensors = new Map(
    wantedTensors(models.get("alexnet"), { options, classes: 2, image }).map(({ name, shape }) => [
      name,
      { shape, data: new Float32Array(shape.reduce((product, n) => product * n, 1)) },
    ]),
  );
  const pixels = { mean: [0, 0, 0], deviation: [1, 1, 1] };
  const about = { model: "alexnet", options, classNames: ["a", "b"], image, pixels };
  const bytes = encodeSafetensors({ tensors, metadata: told ? { cuelab: JSON.stringify(about) } : {} });
  const path = join(root, `${stem}-${told}.safetensors`);
  writeFileSync(path, bytes);
  return {
    model: { name: "alexnet", options: { width: 1 } },
    weights: { path, digest: createHash("sha256").update(bytes).digest("hex"), freshHead: false },
  } as unknown as RunSpec;
}

function images(side: number) {
  return { classes: 2, image: { height: side, width: side, channels: 3 } };
}

test("images too small for the stem of the weights must be enlarged", async () => {
  const refused = firstWeights(specOf("imagenet", { told: false }), images(32));
  await expect(refused).rejects.toThrow(
    /too small[\s\S]*larger images \(--set size[\s\S]*do not fit stem=small/,
  );
  expect((await firstWeights(specOf("imagenet", { told: false }), images(64)))!.size).toBe(16);
});

test("weights of the small stem want that one", async () => {
  const refused = firstWeights(specOf("small", { told: true }), images(32));
  await expect(refused).rejects.toThrow(/too small[\s\S]*give --model-set stem=small/);
});

test("without a file there is nothing", async () => {
  expect(
    await firstWeights({ model: { name: "alexnet", options: {} } } as RunSpec, images(8)),
  ).toBeUndefined();
});
