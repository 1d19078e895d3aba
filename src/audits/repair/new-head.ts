/** A last layer as it comes out of a run on features: one linear layer, or an ensemble of them; and what either says. */

import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { type PlainLayer, withEnsemble } from "../../models/onnx/ensemble-head.ts";
import type { FoundHead } from "../../models/onnx/head.ts";
import { withHead } from "../../models/onnx/repair-head.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { decodeSafetensors } from "../../runs/safetensors.ts";

export type NewHead =
  | { kind: "linear"; layer: PlainLayer }
  | { kind: "ensemble"; names: readonly string[]; heads: readonly PlainLayer[]; worth: PlainLayer };

/** Of methods' own layers, among the tensors of a run. */
const ownPrefix = "branch/";

/** From a finished run on features; `name` is what its network's last layer is called. */
export async function headOfRun(
  folder: string,
  { name, shape: { classes, inputs } }: { name: string; shape: Pick<FoundHead, "classes" | "inputs"> },
): Promise<NewHead> {
  const path = join(folder, runFiles.weights);
  const { tensors } = decodeSafetensors(await readPlain(path), path);
  const layer = (prefix: string): PlainLayer => ({
    weight: lookUp(tensors, `${prefix}.weight`).data,
    bias: lookUp(tensors, `${prefix}.bias`).data,
  });
  const heads = [...tensors.keys()].flatMap((key) =>
    key.startsWith(`${ownPrefix}head-`) && key.endsWith(".weight") ? [key.slice(0, -".weight".length)] : [],
  );
  // A head for each combination of cues, all of which count the same.
  if (tensors.has(`${ownPrefix}heads.weight`))
    return { kind: "linear", layer: meanOf(slices(layer(`${ownPrefix}heads`), classes)) };
  if (heads.length === 0) return { kind: "linear", layer: layer(name) };
  const all = heads.map(layer);
  for (const { weight } of all)
    if (weight.length !== classes * inputs)
      throw new CuelabError({
        kind: "failure",
        what: "a head of the ensemble is not of the network's size",
        where: path,
        expected: `${classes} × ${inputs} weights`,
        got: String(weight.length),
      });
  if (tensors.has(`${ownPrefix}shift.weight`))
    return {
      kind: "ensemble",
      names: heads.map((key) => key.slice(`${ownPrefix}head-`.length)),
      heads: all,
      worth: layer(`${ownPrefix}shift`),
    };
  return { kind: "linear", layer: meanOf(all) };
}

/** One layer after the other in one list. */
function slices({ weight, bias }: PlainLayer, classes: number): PlainLayer[] {
  const count = bias.length / classes;
  const part = (values: ArrayLike<number>, i: number) =>
    Array.from(values).slice((i * values.length) / count, ((i + 1) * values.length) / count);
  return Array.from({ length: count }, (_, i) => ({ weight: part(weight, i), bias: part(bias, i) }));
}

/** The mean of linear layers' logits is a linear layer. */
function meanOf(layers: readonly PlainLayer[]): PlainLayer {
  const mean = (of: (layer: PlainLayer) => ArrayLike<number>) =>
    Float32Array.from(
      of(layers[0]!),
      (_, i) => layers.reduce((sum, layer) => sum + of(layer)[i]!, 0) / layers.length,
    );
  return { weight: mean(({ weight }) => weight), bias: mean(({ bias }) => bias) };
}

/** The network's file with it, in place of the layer that was found in it. */
export function fileWith(model: Uint8Array, found: FoundHead, head: NewHead): Uint8Array {
  return head.kind === "linear" ? withHead(model, found, head.layer) : withEnsemble(model, found, head);
}
