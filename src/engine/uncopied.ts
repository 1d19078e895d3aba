/** Finds out whether this machine's runtime leaves results where a run wrote them, without copies. */

import { add } from "./ops/elementwise.ts";
import { input } from "./ops/sources.ts";
import { emitProgram } from "./program.ts";
import { RuntimeSession, toValue } from "./runtime.ts";

let found: Promise<boolean> | undefined;

/** Checked once a process. */
export function runsUncopied(): Promise<boolean> {
  found ??= check();
  return found;
}

/** A small sum must arrive where it was wanted, and no error with it. */
async function check(): Promise<boolean> {
  try {
    const shape = [2];
    const emitted = emitProgram({ outputs: { y: add(input("x", shape), 1) } }, { uncopied: true });
    const session = await RuntimeSession.open(emitted.model);
    const y = new Float32Array(2);
    const targets = { [emitted.outputs.y!.name]: toValue(y, shape, "float") };
    await session.run({ x: toValue(Float32Array.of(1, 2), shape, "float") }, targets);
    await session.close();
    return y.join() === "2,3";
  } catch {
    // The runtime has no such type, or says so in other words.
    return false;
  }
}
