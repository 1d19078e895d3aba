/** The thread's side of reading a table: first what to read, then parts of a file come in, and columns go out. */

import { parentPort, workerData } from "node:worker_threads";
import { chunkBuffers } from "./parsed-chunk.ts";
import { loadReader, type ReaderSetup, type ReaderTask, taskReader } from "./task-reader.ts";

// What is to be read may come later than the thread is there.
void loadReader(workerData as ReaderSetup["kind"]);
parentPort!.once("message", (setup: ReaderSetup) => {
  const opened = taskReader(setup);
  // One at a time: the parts of a file are read in its order.
  let last = Promise.resolve();
  parentPort!.on("message", (task: ReaderTask) => {
    last = last.then(async () => {
      const chunk = await (await opened).read(task);
      parentPort!.postMessage(chunk, chunkBuffers(chunk));
    });
  });
});
