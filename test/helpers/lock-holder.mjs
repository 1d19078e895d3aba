/** A process that holds a lock, tries to take one, or writes behind one once it is told to: `lock-holder.mjs <lock> hold|try|write`. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Lock } from "../../dist/src/disk/lock.js";
import { writeWhole } from "../../dist/src/disk/write-whole.js";

const [path, what] = process.argv.slice(2);

if (what === "try") {
  const lock = await Lock.tryTake(path, { lookMs: 1 });
  console.log(lock === undefined ? "refused" : "taken");
  lock?.release();
} else {
  const lock = await Lock.take(path, "thing");
  console.log("holds it");
  while (!existsSync(join(dirname(path), "go"))) await wait(20);
  if (what === "write")
    await writeWhole(join(dirname(path), "result"), "of the stopped one", {
      overwrite: true,
      confirm: () => lock.check(),
    }).catch((cause) => {
      console.log(cause.message);
      process.exitCode = 1;
    });
  lock.release();
}
