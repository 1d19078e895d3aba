/** The worker thread's side of `measureImages`. */

import { chunkThread } from "../../../formats/chunk-thread.ts";
import { measureChunk } from "./measure-chunk.ts";

export default await chunkThread(measureChunk);
