/**
 * What a finished thing vouches for: the SHA-256 of each of its files in a `manifest.json` beside them, compared whenever one of
 * them is read, and a seal on the manifest itself. So no flipped bit becomes a number.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { readPlain, requirePlain } from "./plain-file.ts";

export const vouchingName = "manifest.json";

/** Keys that tell a manifest of ours from any other file of that name. */
const ours = ["cuelabRun", "cuelabPool"];

/** SHA-256 by name. */
export type Vouched = Readonly<Record<string, string>>;

export function digestOf(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 of a file, read piece by piece: its size does not matter. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  await requirePlain(path);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** As text, with a last key that is the digest of all others. */
export function sealed(record: object): string {
  const seal = digestOf(JSON.stringify(record));
  return `${JSON.stringify({ ...record, seal }, null, 2)}\n`;
}

/** The record without its seal, once that fits. Those of earlier versions have none. */
export function unsealed(text: string, where: string, todo?: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw damagedFile(where, (cause as Error).message, todo);
  }
  if (json === null || typeof json !== "object" || Array.isArray(json))
    throw damagedFile(where, `${Array.isArray(json) ? "a list" : String(json)} instead of an object`, todo);
  if (!sealFits(json)) throw damagedFile(where, "other content than was sealed", todo);
  const { seal: _, ...record } = json as Record<string, unknown>;
  return record;
}

/** Whether a record is as it was when it was sealed; what has no seal says nothing against it. */
export function sealFits(json: unknown): boolean {
  if (json === null || typeof json !== "object" || !Object.hasOwn(json, "seal")) return true;
  const { seal, ...record } = json as Record<string, unknown>;
  return seal === digestOf(JSON.stringify(record));
}

/** The digests in a manifest; an error that says what is wrong with them where there are none. */
export function vouchedBy(record: Record<string, unknown>, where: string, todo?: string): Vouched {
  const { files } = record;
  if (files === null || typeof files !== "object" || Array.isArray(files))
    throw damagedFile(where, `"files": ${JSON.stringify(files) ?? "missing"}, no digests by name`, todo);
  const odd = Object.entries(files).find(([, digest]) => !/^[0-9a-f]{64}$/.test(String(digest)));
  if (odd !== undefined)
    throw damagedFile(where, `"${odd[0]}": ${JSON.stringify(odd[1])}, which is no SHA-256`, todo);
  return files as Vouched;
}

/** Throws where a manifest of ours lies beside the file and vouches for other bytes. */
export async function checkVouched(path: string): Promise<void> {
  const where = join(dirname(path), vouchingName);
  const text = await readPlain(where)
    .then(String)
    .catch(() => undefined);
  if (text === undefined || !ours.some((key) => text.includes(`"${key}"`))) return;
  const expected = vouchedBy(unsealed(text, where), where)[basename(path)];
  if (expected === undefined) return;
  if ((await fileDigest(path)) !== expected) throw damagedFile(path, otherBytes);
}

export const otherBytes = `other bytes than ${vouchingName} vouches for`;

export function damagedFile(
  where: string,
  got: string,
  todo = "'cuelab verify' looks at all its files and says how to make them again",
): CuelabError {
  return new CuelabError({ kind: "input", what: "a file is damaged", where, got, todo });
}
