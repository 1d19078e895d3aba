/** The thread that makes the next batch while the present one is being trained on. */

import { parentPort, workerData } from "node:worker_threads";
import { adoptSharedBytes } from "../core/shared-bytes.ts";
import { followRecipe } from "../formats/follow-recipe.ts";
import { takePlugins } from "../plugins/at-hand.ts";
import { buffersOf, type FeedSettings, type SlotMessage } from "./batch-feed.ts";
import { BatchMaker } from "./make-batch.ts";

const { recipe, augment, seed, slots, batchSize, imageBytes, shared, plugins } = workerData as FeedSettings;
adoptSharedBytes(shared);
await takePlugins(plugins);
const maker = new BatchMaker(await followRecipe(recipe), augment, seed);
const buffers = slots.map((slot) => buffersOf(slot, batchSize, imageBytes));

parentPort!.on("message", ({ slot, indices, step }: SlotMessage) => {
  maker.fill(step === undefined ? { indices } : { indices, step }, buffers[slot]!).then(
    () => parentPort!.postMessage({ slot }),
    (cause: Error) => parentPort!.postMessage({ slot, failure: cause.message }),
  );
});
