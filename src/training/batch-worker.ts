/** The thread that makes the next batch while the present one is being trained on. */

import { parentPort, workerData } from "node:worker_threads";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { adoptSharedBytes } from "../core/shared-bytes.ts";
import { followRecipe } from "../formats/follow-recipe.ts";
import { takePlugins } from "../plugins/at-hand.ts";
import {
  batchBuffers,
  type FeedAnswer,
  type FeedMessage,
  type FeedSettings,
  type SlotUse,
} from "./batch-feed.ts";
import { type BatchBuffers, BatchMaker } from "./make-batch.ts";

const { recipe, labels, seed, shared, keeps, plugins } = workerData as FeedSettings;
adoptSharedBytes(shared);
await takePlugins(plugins);
const maker = new BatchMaker(await followRecipe(recipe), { labels, seed, keeps });
const slots = new Map<SlotUse, readonly BatchBuffers[]>();

parentPort!.on("message", (message: FeedMessage) => {
  switch (message.kind) {
    case "plan":
      maker.configure(message.plan);
      break;
    case "slots":
      slots.set(
        message.of,
        message.memory.map((slot) => batchBuffers(slot, message.layout)),
      );
      break;
    case "fill":
      void fill(message);
      break;
    default:
      message satisfies never;
  }
});

async function fill({ number, of, slot, request }: Extract<FeedMessage, { kind: "fill" }>): Promise<void> {
  const answer: FeedAnswer = await maker.fill(request, lookUp(slots, of)[slot]!).then(
    () => ({ number }),
    (cause: Error) => ({ number, failure: partsOf(cause) }),
  );
  parentPort!.postMessage(answer);
}

/** What caused an error may hold anything, and is not sent between threads. */
function partsOf(cause: Error): NonNullable<FeedAnswer["failure"]> {
  if (!(cause instanceof CuelabError)) return { kind: "input", what: cause.message };
  const { cause: _, ...parts } = cause.parts;
  return parts;
}
