/** Images and labels in IDX files, the format of MNIST and its many relatives; plain or gzipped. */

import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { SourceRecord } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { limited } from "../core/limits.ts";
import { sharedBytes } from "../core/shared-bytes.ts";
import { gunzipped } from "../core/unpack.ts";
import { readPlain } from "../disk/plain-file.ts";

/** Grey images of one size with a label each. */
export interface IdxImages {
  count: number;
  height: number;
  width: number;
  labels: Uint8Array;
  /** A view, not a copy: height × width bytes. */
  image: (index: number) => Uint8Array;
  source: SourceRecord;
}

export interface IdxPair {
  imagesPath: string;
  labelsPath: string;
}

/** Reads a pair of IDX files; `expected` holds the SHA-256 that each unpacked file must have, by file name. */
export async function readIdxPair(
  { imagesPath, labelsPath }: IdxPair,
  { name, license, expected }: { name: string; license: string; expected?: Readonly<Record<string, string>> },
): Promise<IdxImages> {
  const digests: Record<string, string> = {};
  const load = async (path: string): Promise<Uint8Array> => {
    const bytes = await sharedBytes(`idx:${path}`, () => readUnpacked(path));
    const file = basename(path);
    // Workers adopt bytes that their parent has verified; hashing again would cost each of them 0.2 s.
    digests[file] = await sharedDigest(path, bytes);
    verifyDigest(path, digests[file], expected?.[file]);
    return bytes;
  };
  const images = parseHeader(await load(imagesPath), imagesPath, 3);
  const labels = parseHeader(await load(labelsPath), labelsPath, 1);
  const [count, height, width] = images.shape as [number, number, number];
  if (labels.shape[0] !== count) {
    throw new CuelabError({
      kind: "input",
      what: "the two IDX files do not belong together",
      where: `${imagesPath} and ${labelsPath}`,
      expected: `${count} labels, one an image`,
      got: `${labels.shape[0]} labels`,
    });
  }
  const size = height * width;
  return {
    count,
    height,
    width,
    labels: labels.data,
    image: (index) => images.data.subarray(index * size, (index + 1) * size),
    source: { name, license, sha256: digests },
  };
}

/** The labels file that goes with an images file, by the names everybody uses. */
export function labelsPathOf(imagesPath: string): string {
  const labels = basename(imagesPath).replace("images", "labels").replace("idx3", "idx1");
  if (labels === basename(imagesPath)) {
    throw new CuelabError({
      kind: "input",
      what: "cannot tell which file holds the labels",
      where: imagesPath,
      expected: 'an images file named like "train-images-idx3-ubyte", next to "train-labels-idx1-ubyte"',
    });
  }
  return join(dirname(imagesPath), labels);
}

async function readUnpacked(path: string): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = await readPlain(path);
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw new CuelabError({
      kind: "input",
      what: "cannot read the IDX file",
      where: path,
      got: String(cause),
      cause,
    });
  }
  const gzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!gzipped) return bytes;
  try {
    return limited("the gzipped IDX file would become too large", path, () => gunzipped(bytes, sizeSaid));
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw new CuelabError({ kind: "input", what: "the gzipped IDX file is damaged", where: path, cause });
  }
}

/** Bytes of the whole file, by its header. */
function sizeSaid(head: Uint8Array): number {
  const dimensions = head[3] ?? 0;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 4 + 4 * dimensions) return 0;
  let size = 1;
  for (let i = 0; i < dimensions; i++) size *= view.getUint32(4 + 4 * i);
  return 4 + 4 * dimensions + size;
}

async function sharedDigest(path: string, bytes: Uint8Array): Promise<string> {
  const digest = await sharedBytes(`idx-digest:${path}`, async () =>
    createHash("sha256").update(bytes).digest(),
  );
  return Buffer.from(digest).toString("hex");
}

function verifyDigest(path: string, got: string, expected: string | undefined): void {
  if (expected === undefined || expected === got) return;
  throw new CuelabError({
    kind: "input",
    what: "the file is not the published one",
    where: path,
    expected: `SHA-256 ${expected}`,
    got: `SHA-256 ${got}`,
    todo: "install the package again (npm ci), and check the disk",
  });
}

function parseHeader(
  bytes: Uint8Array,
  path: string,
  dimensions: number,
): { shape: number[]; data: Uint8Array } {
  const fail = (expected: string, got: string): never => {
    throw new CuelabError({ kind: "input", what: "not a usable IDX file", where: path, expected, got });
  };
  if (bytes.length < 4 + 4 * dimensions) fail("an IDX header", `${bytes.length} bytes`);
  if (bytes[0] !== 0 || bytes[1] !== 0 || bytes[2] !== 0x08 || bytes[3] !== dimensions) {
    fail(
      `magic bytes 0 0 8 ${dimensions} (unsigned bytes, ${dimensions} dimensions)`,
      bytes.subarray(0, 4).join(" "),
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shape = Array.from({ length: dimensions }, (_, i) => view.getUint32(4 + 4 * i));
  const data = bytes.subarray(4 + 4 * dimensions);
  const size = shape.reduce((product, length) => product * length, 1);
  if (data.length !== size)
    fail(`${size} bytes of data for shape ${shape.join("×")}`, `${data.length} bytes`);
  return { shape, data };
}
