/** Batches from the thread that makes them, as a run has them: several chains, stages, what is refused. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../src/core/dataset.ts";
import { parseAssignments } from "../src/core/settings.ts";
import type { subset } from "../src/images/change-dataset.ts";
import type { BatchFeed as Feed } from "../src/training/batch-feed.ts";
import type { BatchBuffers, BatchRequest, Chains } from "../src/training/make-batch.ts";
import { cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const built = (file: string) =>
  import(pathToFileURL(join(import.meta.dirname, "../dist/src", file)).href) as Promise<never>;

const sides = ["mask", "co_occur_obj_mask", "bg_only"];
const part = Uint32Array.from({ length: 160 }, (_, i) => i);
const indices = Uint32Array.of(3, 40, 77, 159);
let BatchFeed: typeof Feed;
let cars: Dataset;
const open: Feed[] = [];

beforeAll(async () => {
  ({ BatchFeed } = await built("training/batch-feed.js"));
  // The thread looks for recipes in the built program, so the dataset must come from there.
  const { datasets }: typeof import("../src/datasets/index.ts") = await built("datasets/index.js");
  const definition = datasets.get("urban-cars");
  cars = await definition.build(parseAssignments(definition.settings, definition.small ?? []), 2);
});

afterAll(async () => {
  for (const feed of open) await feed.close();
});

function feedOf(dataset = cars, allowed = { sides, boxes: [] as string[] }): Feed {
  const feed = new BatchFeed({ dataset, seed: 4, allowed });
  open.push(feed);
  return feed;
}

const plan = (views: Chains, more: object = {}) => ({ batchSize: 4, views, part, scope: "", ...more });

/** Copies, since a batch is good until the next is asked for. */
async function all(feed: Feed, requests: BatchRequest[]): Promise<BatchBuffers[]> {
  const found: BatchBuffers[] = [];
  for await (const batch of feed.batches(requests)) found.push(structuredClone(batch));
  return found;
}

const swaps = [{ view: "one-of", with: { of: ["original", "background-swap", "co-object-swap"] } }];
const steps = (count: number) => Array.from({ length: count }, (_, step) => ({ indices, step }));

test("several chains a batch, with codes; what was asked for without a step is as it is", async () => {
  const feed = feedOf();
  feed.configure(
    plan({ images: [{ view: "mixup" }], shifted: [...swaps, { view: "flip" }, { view: "mixup" }] }),
  );
  const batches = await all(feed, [...steps(12), { indices }]);
  const codes = batches.slice(0, 12).flatMap((batch) => [...batch.codes.shifted!]);
  expect(new Set(codes)).toEqual(new Set([0, 1, 2]));
  const plain = await Promise.all(Array.from(indices, async (index) => cars.images.pixels(index)));
  expect(batches[12]!.views.images).toEqual(new Uint8Array(Buffer.concat(plain.map(({ data }) => data))));
  expect(batches[0]!.shares).toEqual(new Float32Array(4).fill(batches[0]!.shares[0]!));
});

test("configured anew, it goes on with the same data, and what was left unread disturbs nothing", async () => {
  const [feed, fresh] = [feedOf(), feedOf()];
  feed.configure(plan({ images: [{ view: "crop" }] }));
  for await (const _batch of feed.batches(steps(5))) break;
  feed.configure(plan({ images: swaps }, { scope: "second", batchSize: 2 }));
  fresh.configure(plan({ images: swaps }, { scope: "second", batchSize: 2 }));
  const two = [
    { indices: Uint32Array.of(9, 8), step: 3 },
    { indices: Uint32Array.of(1, 0), step: 1 },
  ];
  expect(await all(feed, two)).toEqual(await all(fresh, two));
});

test("two feeds that share the steps give what one gives", async () => {
  const views = { images: [{ view: "crop" }, { view: "cutmix" }], shifted: swaps };
  const [one, even, odd] = [feedOf(), feedOf(), feedOf()];
  for (const feed of [one, even, odd]) feed.configure(plan(views));
  const whole = await all(one, steps(6));
  const evens = await all(
    even,
    steps(6).filter(({ step }) => step % 2 === 0),
  );
  const odds = await all(
    odd,
    steps(6).filter(({ step }) => step % 2 === 1),
  );
  expect(evens.flatMap((batch, i) => [batch, odds[i]!])).toEqual(whole);
});

test("what a view needs must be there, and be allowed", async () => {
  const swap = { view: "background-swap" };
  expect(() => feedOf(cars, { sides: ["mask"], boxes: [] }).configure(plan({ images: [swap] }))).toThrow(
    'view "background-swap" needs the side image "co_occur_obj_mask", which is not handed over',
  );
  const named = { ...swap, with: { background: "bg_olny" } };
  expect(() => feedOf().configure(plan({ images: [], other: [named] }))).toThrow(
    /view "background-swap" needs the side image "bg_olny".*one of: mask, co_occur_obj_mask, bg_only.*did you mean "bg_only"\?/s,
  );
  const { sideImages: _, ...bare } = cars;
  expect(() => feedOf(bare).configure(plan({ images: [swap] }))).toThrow("a dataset with side images");
  const mine = {
    ...cars.sideImages,
    mask: { ...cars.sideImages!.mask!, pixels: () => cars.images.pixels(0) },
  };
  expect(() => feedOf({ ...cars, sideImages: mine }).configure(plan({ images: [swap] }))).toThrow(
    'the side image "mask" does not come from where the images come from',
  );
  const urban = Uint32Array.from(part.filter((index) => cars.labels[index] === 0));
  expect(() => feedOf().configure({ ...plan({ images: [swap] }), part: urban })).toThrow("one class only");
  expect(() => feedOf().configure(plan({ images: [{ view: "erase" }] }))).toThrow("wants the mean");
  await expect(all(feedOf(), steps(1))).rejects.toThrow("a call of configure before");
});

test("sides follow a subset of the images", async () => {
  const { subset: builtSubset }: { subset: typeof subset } = await built("images/change-dataset.js");
  const order = Uint32Array.from({ length: 160 }, (_, i) => 159 - i);
  const feed = feedOf(builtSubset(cars, order));
  feed.configure(plan({ images: [{ view: "co-object-swap" }] }));
  const [batch] = await all(feed, [{ indices, step: 0 }]);
  const mask = await cars.sideImages!.mask!.pixels(order[indices[0]!]!);
  const image = await cars.images.pixels(order[indices[0]!]!);
  for (let pixel = 0; pixel < 64 * 64; pixel++)
    if (mask.data[pixel]! > 127) expect(batch!.views.images[3 * pixel]).toBe(image.data[3 * pixel]);
});

const data = `--data urban-cars --set size=64 --set count.train=160 --set count.val=24 --set count.test=24
  --set backgrounds.train=6 --set backgrounds.val=2 --set backgrounds.test=2 --model logistic-regression --quiet`;
const train = (out: string, more: string) =>
  cuelabJson(["train", ...`${data} ${more} --out`.split(/\s+/), join(root, out)]);

test("a run's own views may be any of them, and a preset is the paper's whole recipe", async () => {
  const swapped = await train(
    "swapped",
    "--epochs 1 --augment one-of,flip --augment-set one-of.of=original,background-swap",
  );
  expect(swapped).toMatchObject({ selection: { rule: "the last epoch" } });
  const whole = await train("whole", "--preset urban-cars --epochs 2");
  expect(whole).toMatchObject({
    selection: { rule: "validation accuracy of the worst group (class × background × coObject)" },
  });
});
