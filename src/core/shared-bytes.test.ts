import { expect, test } from "vitest";
import { adoptSharedBytes, allSharedBytes, freshSharedBytes, sharedBytes } from "./shared-bytes.ts";

test("bytes are loaded once, fresh ones every time, and adopted ones never", async () => {
  let loads = 0;
  const load = async () => Uint8Array.of(++loads);
  expect([...(await sharedBytes("once", load))]).toEqual([1]);
  expect([...(await sharedBytes("once", load))]).toEqual([1]);
  expect([...(await freshSharedBytes("fresh", load))]).toEqual([2]);
  expect([...(await freshSharedBytes("fresh", load))]).toEqual([3]);
  // What a worker thread would be handed is the latest.
  const handed = new Map(allSharedBytes());
  expect([...new Uint8Array(handed.get("fresh")!)]).toEqual([3]);
  adoptSharedBytes(handed);
  expect([...(await freshSharedBytes("fresh", load))]).toEqual([3]);
});
