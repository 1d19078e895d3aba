/** The process in which mutants are read: it says which one comes next and what came of it, so that it can be ended in between. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatNamed } from "./formats/index.ts";
import { type Judgement, Seeded } from "./judge.ts";

export interface Told extends Judgement {
  index: number;
}

const [name = "", seed = "", first = "", last = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cuelab-fuzz-"));
process.env.TMPDIR = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(0));

const seeded = await Seeded.write(formatNamed(name), folder);
process.send!("ready");
for (let index = Number(first); index < Number(last); index++) {
  const judgement = await seeded.judge(seeded.mutant(Number(seed), index));
  process.send!({ index, ...judgement } satisfies Told);
}
process.disconnect();
// Threads that some reader has started need not be waited for.
process.exit(0);
