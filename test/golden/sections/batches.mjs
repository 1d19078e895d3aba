/** What a step is fed: which images, and how they are changed. Whole numbers, the same on any machine. */

import { digest, float32 } from "../digest.mjs";

const changes = ["crop", "flip", "jitter", "grey", "erase", "watermark", "mixup", "cutmix"];

async function coloredMnist(checkout) {
  const { datasets } = await checkout.library();
  const definition = datasets.get("colored-mnist");
  return definition.build(definition.settings.parse({ trainPerEnvironment: 60, size: 28 }), 0);
}

/** Each change alone and all that go together, on 64 images at a step that is not the first. */
export async function augmentations({ checkout }) {
  const dataset = await coloredMnist(checkout);
  const request = { indices: Uint32Array.from({ length: 64 }, (_, i) => (i * 7) % 120), step: 5 };
  const singles = changes.filter((name) => !["mixup", "cutmix"].includes(name));
  const choices = [[], ...changes.map((name) => [name]), [...singles, "mixup"], [...singles, "cutmix"]];
  const portable = {};
  for (const augment of choices) {
    const { images, partners, shares } = await checkout.batch(dataset, augment, 3, request);
    const size = images.length / request.indices.length;
    portable[augment.join("+") || "none"] = {
      // Eight images a digest, so that a difference has a place.
      images: Array.from({ length: 8 }, (_, i) => digest(images.subarray(8 * i * size, 8 * (i + 1) * size))),
      partners: digest(partners),
      shares: digest(shares),
      firstShares: float32(shares.subarray(0, 2)),
    };
  }
  return { portable, bits: {} };
}

const samplings = {
  shuffled: { name: "erm" },
  "balanced groups": { name: "group-dro", explicit: ["color"] },
  environments: { name: "irm-v1", explicit: ["color"] },
};

/** Three epochs of each sampling: the first batches in full, all as a digest. */
export async function samplers({ checkout }) {
  const dataset = await coloredMnist(checkout);
  const { resolveSpec } = await checkout.library();
  const [batchSize, stepsPerEpoch] = [16, 7];
  const portable = {};
  for (const [sampling, method] of Object.entries(samplings)) {
    const spec = resolveSpec({
      data: { name: "colored-mnist", identity: "golden" },
      model: { name: "mlp" },
      method,
      batchSize,
      seed: 1,
    });
    const sampler = await checkout.sampler(spec, dataset, { batchSize, stepsPerEpoch });
    portable[sampling] = [0, 1, 2].map((epoch) => {
      const placesAt = sampler(epoch);
      const batches = Array.from({ length: stepsPerEpoch }, (_, step) => [...placesAt(step)]);
      return { first: batches[0], last: batches.at(-1), all: digest(batches.join("\n")) };
    });
  }
  return { portable, bits: {} };
}
