/** The thread's side of reading a table: parts of a file come in, columns go out. */

import { parentPort, workerData } from "node:worker_threads";
import { buffersOf } from "./parsed-chunk.ts";
import { type ReaderSetup, type ReaderTask, taskReader } from "./task-reader.ts";

const opened = taskReader(workerData as ReaderSetup);
// One at a time: the parts of a file are read in its order.
let last = Promise.resolve();
parentPort!.on("message", (task: ReaderTask) => {
  last = last.then(async () => {
    const chunk = await (await opened).read(task);
    parentPort!.postMessage(chunk, buffersOf(chunk));
  });
});
