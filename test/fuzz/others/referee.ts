/** Python's libraries (`npm run referee`), in a process of their own that is asked file by file; without it nobody has an opinion. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { noOpinion } from "../fuzzed-format.ts";

const root = join(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../../..");
const python = process.env.REFEREE_PYTHON ?? join(root, ".referee/bin/python");

type Kind =
  | "picture"
  | "json_rows"
  | "json_lines"
  | "table"
  | "safetensors"
  | "arrays"
  | "tar"
  | "voc"
  | "coco"
  | "mat";

let running: { child: ChildProcessWithoutNullStreams; lines: AsyncIterator<string> } | undefined;

function started(): NonNullable<typeof running> {
  const child = spawn(python, ["-W", "ignore", join(root, "test/fuzz/others/referee.py")]);
  child.stderr.resume();
  child.unref();
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** What the library reads in a file; throws where it refuses it. */
export async function refereeReads(kind: Kind, path: string): Promise<unknown> {
  if (process.env.FUZZ_REFEREE !== "1" || !existsSync(python)) return noOpinion;
  running ??= started();
  running.child.stdin.write(`${JSON.stringify({ kind, path })}\n`);
  const { value, done } = await running.lines.next();
  if (done) throw new Error("the referee has ended");
  const answer = JSON.parse(value) as { content?: unknown; refused?: string };
  if (answer.refused !== undefined) throw new Error(answer.refused);
  return answer.content ?? noOpinion;
}
