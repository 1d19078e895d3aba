/**
 * Keeps the runtime's binding from copying results. It copies every output into a new array, also those that a run has
 * just written where it was told to: for a ResNet-18 under Adam 134 MB a step. But it goes by their order, and gives up
 * at an output that is no tensor. So one of that kind comes first.
 */

import type { Emitter } from "./emitter.ts";

/** A name that no program gives to anything. */
export const undeliverable = "/undeliverable";

/** Adds the output that cannot be delivered before all others. */
export function emitUndeliverable(emitter: Emitter): void {
  const list = emitter.node("SequenceEmpty", []);
  emitter.outputs.unshift({
    name: emitter.rename(list, undeliverable),
    type: "float",
    shape: [],
    list: true,
  });
}

/** Whether the binding gave up at that output, after a run that went well. */
export function isUndeliverable(error: unknown): boolean {
  return error instanceof Error && error.message === "Non tensor type is temporarily not supported.";
}
