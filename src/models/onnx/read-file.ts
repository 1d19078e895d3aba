/** An ONNX file with the numbers that lie in files beside it, read whole and digested. */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { leadsOutside } from "../../core/confined.ts";
import { CuelabError } from "../../core/errors.ts";
import { guarded } from "../../disk/guarded.ts";
import { openPlain, readPlain } from "../../disk/plain-file.ts";
import { fileDigest } from "../../disk/vouched.ts";
import { decodeModel, type StoredModel } from "../../engine/onnx/decode-model.ts";
import { bytesOf, elementTypeOf, numbersOf, type StoredTensor } from "../../engine/onnx/decode-tensor.ts";

export interface OnnxFile {
  model: StoredModel;
  /** Of all bytes, also of those in other files: equal digests, equal networks. */
  digest: string;
}

export async function readOnnxFile(path: string): Promise<OnnxFile> {
  const what = "this is no ONNX file that can be read";
  return guarded(
    path,
    async () => {
      const bytes = await readPlain(path);
      const model = decodeModel(bytes);
      const tensors = storedTensors(model);
      for (const tensor of tensors) requireNumbers(tensor);
      const files = new Map<string, StoredTensor[]>();
      for (const tensor of tensors) {
        if (tensor.external === undefined) continue;
        const { location } = tensor.external;
        files.set(location, [...(files.get(location) ?? []), tensor]);
      }
      const hash = createHash("sha256").update(bytes);
      for (const [location, held] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const place = besideOf(path, location);
        await fill(place, held);
        hash.update(await fileDigest(place));
      }
      for (const tensor of tensors) numbersOf(tensor);
      return { model, digest: `sha256:${hash.digest("hex")}` };
    },
    what,
  );
}

/** Weights, and constants of nodes. */
export function storedTensors({ graph }: StoredModel): StoredTensor[] {
  const ofNodes = graph.nodes.flatMap(({ attributes }) =>
    [...attributes.values()].flatMap((attribute) => (attribute.kind === "tensor" ? [attribute.value] : [])),
  );
  return [...graph.initialisers.values(), ...ofNodes];
}

function requireNumbers({ name, type }: StoredTensor): void {
  if (elementTypeOf(type) !== undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `tensor "${name}" holds something else than numbers that networks compute with`,
    expected: "floats of 16, 32 or 64 bits, whole numbers or truth values",
    got: `ONNX's element type ${type}`,
    todo: "export the network in float32, without quantisation",
  });
}

/** Whoever made the file must not choose what else is read. */
export function besideOf(path: string, location: string): string {
  if (location !== "" && !leadsOutside(location) && !location.includes("\0"))
    return join(dirname(path), location);
  throw new CuelabError({
    kind: "input",
    what: "the network names a file outside its folder",
    where: path,
    expected: "files of weights beside it, or below",
    got: JSON.stringify(location),
    todo: "move the file of weights beside the network, and save it with that name",
  });
}

async function fill(place: string, tensors: readonly StoredTensor[]): Promise<void> {
  await guarded(place, async () => {
    const file = await openPlain(place);
    try {
      const { size } = await file.stat();
      for (const tensor of tensors) {
        const { offset, length = bytesOf(tensor) } = tensor.external!;
        const fits = Number.isSafeInteger(offset) && offset >= 0 && length === bytesOf(tensor);
        if (!fits || offset + length > size)
          throw new Error(
            `tensor "${tensor.name}" of ${bytesOf(tensor)} bytes is said to be ${length} bytes at ${offset} of ${size}`,
          );
        const raw = new Uint8Array(length);
        await file.read(raw, 0, length, offset);
        tensor.raw = raw;
      }
    } finally {
      await file.close();
    }
  });
}
