/**
 * Loaded before the program (`node --import`): every graph is compiled with the runtime's standard kernels, whose rounding
 * depends on the processor's instructions and not on a block size that is found at run time, and is written down as a
 * digest of its ONNX form.
 */

import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { Checkout } from "./checkout.mjs";
import { digest } from "./digest.mjs";

// Threads make batches and hold no sessions; the runtime must not be loaded there.
if (isMainThread) {
  const checkout = new Checkout(process.env.CUELAB_GOLDEN_CHECKOUT);
  const { Executable } = await checkout.executable();
  const { emitProgram } = await checkout.emission();
  const log = process.env.CUELAB_GOLDEN_EMITTED;
  const compile = Executable.compile.bind(Executable);
  Executable.compile = (program, options = {}) => {
    if (log) {
      const { model, nodeCount } = emitProgram(program);
      appendFileSync(log, `${digest(model)} ${nodeCount} nodes\n`);
    }
    return compile(program, { ...options, kernels: "standard" });
  };
}
