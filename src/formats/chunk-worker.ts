/** The worker thread's side of `processImages`. */

import { chunkThread } from "./chunk-thread.ts";
import { processChunk } from "./process-chunk.ts";

export default await chunkThread(processChunk);
