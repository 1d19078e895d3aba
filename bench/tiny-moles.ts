/** A tiny world with two shortcuts, and real training runs on it that take milliseconds: for asking what verdicts do over hundreds of them. */

import type { Dataset } from "../src/core/dataset.ts";
import type { Random } from "../src/core/random.ts";
import type { AlignedCell, Alignment } from "../src/metrics/alignment.ts";
import { trainSmall } from "./train-small.ts";

/** Training images of a class by cell: both common, background, object, both uncommon; as often as in UrbanCars. */
const trained = [361, 19, 19, 1];
/** Test images of a class in each cell. */
const tested = 60;
const uncommonIn = [[], ["background"], ["coObject"], ["background", "coObject"]];
const side = 6;
const [batchSize, steps] = [32, 120];
/** How far class, background and object rise out of noise of deviation 48. */
const strengths = [18, 20, 16];
const noise = 48;

interface TinyImages {
  pixels: Uint8Array;
  labels: Uint16Array;
  cells: Uint8Array;
}

/** Training and test images of a world of its own: class, background and object have twelve pixels each, dark and light ones by a pattern. */
export function drawTinyWorld(random: Random): { train: TinyImages; test: TinyImages } {
  const size = side * side;
  const patterns = Array.from({ length: size }, () => (random.uniform() < 0.5 ? -1 : 1));
  const draw = (counts: readonly number[]): TinyImages => {
    const images = [0, 1].flatMap((label) =>
      counts.flatMap((count, cell) => Array.from({ length: count }, () => ({ label, cell }))),
    );
    const pixels = new Uint8Array(images.length * size);
    for (const [i, { label, cell }] of images.entries()) {
      const signs = [0, cell & 1, cell >> 1].map((uncommon) => (label === uncommon ? -1 : 1));
      for (let p = 0; p < size; p++) {
        const part = Math.floor((3 * p) / size);
        const value = 128 + signs[part]! * strengths[part]! * patterns[p]! + noise * random.normal();
        pixels[i * size + p] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
    return {
      pixels,
      labels: Uint16Array.from(images, ({ label }) => label),
      cells: Uint8Array.from(images, ({ cell }) => cell),
    };
  };
  return { train: draw(trained), test: draw(trained.map(() => tested)) };
}

/** A standard model from first to last step: whether each test image is right. */
export async function trainTiny(
  { train, test }: { train: TinyImages; test: TinyImages },
  seed: number,
): Promise<boolean[]> {
  const { weights: kept, predict } = await trainSmall("tiny", {
    spec: {
      data: { identity: "tiny" },
      model: { name: "mlp", options: { width: 8, depth: 1 } },
      method: { name: "erm" },
      optimiser: { rate: 0.01 },
      batchSize,
      seed,
    },
    dataset: asDataset(train),
    imagesAt: (places) => imagesAt(train, places),
    steps,
    pixels: { mean: [0.5], deviation: [0.2] },
  });
  const right: boolean[] = [];
  const last = test.labels.length - 1;
  for (let start = 0; start <= last; start += batchSize) {
    const places = Array.from({ length: batchSize }, (_, i) => Math.min(start + i, last));
    const { logits } = await predict.run({ images: imagesAt(test, places) }, { state: kept });
    for (let i = 0; i < batchSize && start + i <= last; i++)
      right.push(Number(logits![2 * i + 1]! > logits![2 * i]!) === test.labels[start + i]);
  }
  return right;
}

function asDataset({ labels }: TinyImages): Dataset {
  return {
    images: { count: labels.length, shape: { height: side, width: side, channels: 1 } },
    labels,
    classNames: ["urban", "country"],
    attributes: {},
    splits: { names: ["train"], values: new Uint8Array(labels.length) },
  } as unknown as Dataset;
}

function imagesAt({ pixels }: TinyImages, places: ArrayLike<number>): Uint8Array {
  const size = side * side;
  const taken = new Uint8Array(places.length * size);
  for (let i = 0; i < places.length; i++)
    taken.set(pixels.subarray(places[i]! * size, (places[i]! + 1) * size), i * size);
  return taken;
}

/** Test images by which cues are uncommon, with what two models say of them. */
export function alignTiny(
  { labels, cells }: TinyImages,
  ours: readonly boolean[],
  theirs: readonly boolean[],
): Alignment {
  const total = trained.reduce((sum, count) => sum + count, 0);
  const aligned = uncommonIn.map((uncommon, cell): AlignedCell => {
    const classes = [0, 1].map(() => ({ count: 0, correct: 0, baselineCorrect: 0, bothCorrect: 0 }));
    return { uncommon, classes, share: trained[cell]! / total };
  });
  for (let i = 0; i < labels.length; i++) {
    const tally = aligned[cells[i]!]!.classes[labels[i]!]!;
    tally.count++;
    tally.correct += Number(ours[i]);
    tally.baselineCorrect! += Number(theirs[i]);
    tally.bothCorrect! += Number(ours[i] && theirs[i]);
  }
  return { cues: ["background", "coObject"], cells: aligned, unknown: 0 };
}
