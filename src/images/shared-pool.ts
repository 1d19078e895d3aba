/** Pictures made once and used again and again, by all threads: whoever first needs one makes it. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import { sharedRoom } from "../core/shared-bytes.ts";

/**
 * `make(slot)` must give the same pixels whoever calls it: two threads may make one picture at the same time. What is
 * returned is shared and must not be changed.
 */
export function sharedPool(
  key: string,
  count: number,
  shape: ImageShape,
  make: (slot: number) => Pixels,
): (slot: number) => Pixels {
  const size = shape.height * shape.width * shape.channels;
  const flags = Int32Array.BYTES_PER_ELEMENT * count;
  const room = sharedRoom(key, flags + count * size);
  const ready = new Int32Array(room, 0, count);
  return (slot) => {
    const data = new Uint8Array(room, flags + slot * size, size);
    if (Atomics.load(ready, slot) === 0) {
      data.set(make(slot).data);
      Atomics.store(ready, slot, 1);
    }
    return { data, ...shape };
  };
}
