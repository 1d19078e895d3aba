/** What an ONNX file says of itself, without its numbers: for networks that are run as they are, whatever they consist of. */

import { guarded } from "../../disk/guarded.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { fileDigest } from "../../disk/vouched.ts";
import { decodeModel, type StoredModel } from "../../engine/onnx/decode-model.ts";
import { besideOf, storedTensors } from "./read-file.ts";

export interface DescribedOnnx {
  model: StoredModel;
  /** Of all bytes, also of those in files beside it. */
  digest: string;
}

/** Throws where it wants to read something else than files beside it. */
export async function describeOnnxFile(path: string): Promise<DescribedOnnx> {
  const what = "this is no ONNX file that can be read";
  const model = await guarded(path, async () => decodeModel(await readPlain(path)), what);
  const places = new Set(
    storedTensors(model).flatMap(({ external }) => (external ? [besideOf(path, external.location)] : [])),
  );
  const digests = [await fileDigest(path)];
  for (const place of [...places].sort()) digests.push(await guarded(place, () => fileDigest(place), what));
  return { model, digest: digests.join("+") };
}
