/** What a process of its own does with the disk, by the words it is given: for tests of several at once, and of kills. */

import fs, { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { fillFolder } from "../../dist/src/disk/fill-folder.js";
import { Lock } from "../../dist/src/disk/lock.js";
import { OutputFolder } from "../../dist/src/disk/output-folder.js";
import { writeWhole } from "../../dist/src/disk/write-whole.js";

const [what, place, name, rounds, killedAt] = process.argv.slice(2);

const content = {
  name: "thing",
  already: "a thing is there already",
  ownIn: async (folder) =>
    fs.existsSync(join(folder, "thing.json"))
      ? (path) => path === "thing.json" || path.startsWith("part-")
      : undefined,
};

const works = {
  /** A file, and nothing else may be there. */
  file: (round) => writeWhole(join(place, `file-${round}`), name.repeat(50_000), { overwrite: false }),
  /** A file over whatever is there. */
  over: () => writeWhole(join(place, "file"), name.repeat(200_000), { overwrite: true, durable: true }),
  /** A folder in place of its like. */
  folder: async () => {
    const folder = await OutputFolder.create(join(place, "folder"), { force: true }, content);
    try {
      await folder.write("part-0", name.repeat(20_000));
      await folder.write("thing.json", name, { durable: true });
      await folder.commit();
    } catch (cause) {
      await folder.discard();
      throw cause;
    }
  },
  /** Files of a report, in place of its former ones. */
  fill: () =>
    fillFolder(join(place, "filled"), { by: "test", force: false }, (write) =>
      write("part-0", name.repeat(20_000)),
    ),
  /** Adds one to a number, which goes wrong if two do it at once. */
  lock: async () => {
    const lock = await Lock.take(join(place, "counter.lock"), "counter", { patienceMs: 60_000 });
    const file = await fs.promises.open(join(place, "counter"), "r+");
    const before = Number(await file.readFile("utf8"));
    await file.write(String(before + 1).padStart(6, "0"), 0);
    await file.close();
    // Those that are killed here leave a lock of a dead process.
    if (name === "dies") process.kill(process.pid, "SIGKILL");
    lock.release();
  },
};

/** Ends this process, as if it were killed, before the so-manieth change of the disk. */
function killAt(change) {
  let changes = 0;
  const wrap = (holder, key) => {
    const original = holder[key];
    holder[key] = (...given) => {
      const isChange = key !== "open" || given[1] !== "r";
      if (isChange && ++changes === change) process.kill(process.pid, "SIGKILL");
      return original(...given);
    };
  };
  for (const key of ["open", "rename", "link", "rm", "rmdir", "mkdir"]) wrap(fs.promises, key);
  wrap(fs, "rmSync");
  syncBuiltinESMExports();
}

if (killedAt !== undefined) killAt(Number(killedAt));
else {
  // The others begin at the same moment.
  writeSync(1, "ready\n");
  await new Promise((go) => process.stdin.once("data", go));
}
const said = [];
for (let round = 0; round < Number(rounds); round++) {
  said.push(
    await works[what](round).then(
      () => "done",
      (cause) => (cause.name === "CuelabError" ? cause.message : `unexpected: ${cause.stack}`),
    ),
  );
}
writeSync(1, `${JSON.stringify(said)}\n`);
process.exit();
