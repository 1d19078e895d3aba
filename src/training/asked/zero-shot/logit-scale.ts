/** What cosines are multiplied by: as somebody says, else as the file with both towers does it, else as weights beside it say. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { CuelabError } from "../../../core/errors.ts";
import { guarded } from "../../../disk/guarded.ts";
import { OnnxGraph } from "../../../engine/onnx-graph.ts";
import { oneTensor } from "../../../runs/safetensors.ts";
import { chooseOutput, embeddingNames } from "../choose-output.ts";
import type { OnnxRows } from "../onnx-file.ts";
import { foldersOf } from "../preparation-words.ts";
import { besideTexts } from "./both-in-one.ts";
import type { LogitScale } from "./scored-network.ts";
import { inUnitLength, scaleIn } from "./text-embeddings.ts";
import { TextFeeds } from "./text-tower.ts";
import type { TextTokenizer } from "./tokenizer-file.ts";

export interface FoundScale extends LogitScale {
  /** In words, with who says it. */
  said: string;
}

/** What CLIP, and most that followed it, learnt; it changes no prediction, only how sure they look. */
const usualScale = 100;
/** More of them tell nothing new. */
const mostTexts = 16;
/** Floats that should be equal differ by less, in units of the scale. */
const tolerance = 1e-3;

export async function findScale(
  path: string,
  stated: number | undefined,
  from: string,
  both?: { images: OnnxRows; tokenizer: TextTokenizer; texts: readonly string[] },
): Promise<FoundScale> {
  if (stated !== undefined) return saying({ scale: stated, bias: 0 }, from);
  const measured = both === undefined ? undefined : await measuredScale(path, both);
  if (measured !== undefined) return saying(measured, basename(path));
  for (const folder of foldersOf(path)) {
    const file = join(folder, "model.safetensors");
    if (!existsSync(file)) continue;
    const scale = scaleIn(await guarded(file, () => oneTensor(file, "logit_scale")));
    const bias = (await oneTensor(file, "logit_bias"))?.[0] ?? 0;
    if (scale !== undefined) return saying({ scale, bias }, basename(file));
  }
  return saying({ scale: usualScale, bias: 0 }, "assumed; it changes no prediction, only how sure they look");
}

function saying({ scale, bias }: LogitScale, from: string): FoundScale {
  if (!(scale > 0) || !Number.isFinite(scale) || !Number.isFinite(bias))
    throw new CuelabError({
      kind: "input",
      what: "the scale of logits is no number above 0",
      where: from,
      got: String(scale),
    });
  const shift = bias === 0 ? "" : `, ${Number(bias.toPrecision(4))} added`;
  return { scale, bias, said: `${Number(scale.toPrecision(5))}${shift} (${from})` };
}

/** The file's own logits of some texts are a line over their cosines. */
async function measuredScale(
  path: string,
  { images, tokenizer, texts }: { images: OnnxRows; tokenizer: TextTokenizer; texts: readonly string[] },
): Promise<LogitScale | undefined> {
  const { graph } = images.model;
  const name = "logits_per_image";
  if (!graph.outputs.some((output) => output.name === name)) return undefined;
  const model = await OnnxGraph.open(path);
  try {
    const points: { cosine: number; logit: number }[] = [];
    for (const { feeds, count, places } of new TextFeeds({ path, graph, tokenizer }).of(
      texts.slice(0, mostTexts),
    )) {
      const all = { ...feeds, ...besideTexts(images)(count) };
      const ofTexts = chooseOutput(graph, undefined, path, embeddingNames.text);
      const [image, others, logits] = await model.run(all, [images.output, ofTexts, name]);
      const own = inUnitLength(image!.values.subarray(0, images.width), images.width, path);
      const units = inUnitLength(others!.values, images.width, path);
      for (let i = 0; i < places.length; i++) {
        let cosine = 0;
        for (let k = 0; k < images.width; k++) cosine += own[k]! * units[i * images.width + k]!;
        points.push({ cosine, logit: logits!.values[i]! });
      }
    }
    return line(points);
  } finally {
    await model.close();
  }
}

/** Least squares; undefined where the points lie on no line, or all at one place. */
function line(points: readonly { cosine: number; logit: number }[]): LogitScale | undefined {
  const mean = (of: (point: { cosine: number; logit: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(({ cosine }) => cosine), mean(({ logit }) => logit)];
  const across = mean(({ cosine }) => (cosine - x) ** 2);
  if (!(Math.sqrt(across) > 1e-4)) return undefined;
  const scale = mean(({ cosine, logit }) => (cosine - x) * (logit - y)) / across;
  const bias = y - scale * x;
  const isLine = points.every(
    ({ cosine, logit }) => Math.abs(scale * cosine + bias - logit) < tolerance * scale,
  );
  // What is left of rounding is none.
  return isLine ? { scale, bias: Math.abs(bias) < tolerance * scale ? 0 : bias } : undefined;
}
