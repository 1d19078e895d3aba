/** Stems for ImageNet's images throw away most of a small one; that is a choice to make, not to overlook. */

import { largerImages } from "../models/model.ts";
import type { RunSpec } from "./run-spec.ts";

/** Images with fewer rows or columns are better served by a small stem. */
const fewPixels = 96;
/** As many as patches of 16 pixels make of such an image. */
const fewPatches = 6;

export function stemNotes(
  { model: { options }, weights }: Pick<RunSpec, "model" | "weights">,
  height: number,
  width: number,
): string[] {
  const { stem, patch } = options;
  const note = (problem: string, remedy: string) => [
    `${problem}; ${weights === undefined ? remedy : `the weights fit no other, and are better served by ${largerImages}`}`,
  ];
  const side = Math.min(height, width);
  if (stem === "imagenet" && side < fewPixels)
    return note(
      `the stem for ImageNet shrinks these ${height} × ${width} images at once`,
      "--model-set stem=small shrinks them less, or not at all",
    );
  if (typeof patch !== "number" || side / patch >= fewPatches) return [];
  const finer = finerPatch(height, width, patch);
  if (finer === undefined) return [];
  return note(
    `patches of ${patch} pixels make only ${height / patch} × ${width / patch} of these ${height} × ${width} images`,
    `--model-set patch=${finer} makes ${height / finer} × ${width / finer}`,
  );
}

/** The largest that divides the images' sides and makes enough patches. */
function finerPatch(height: number, width: number, patch: number): number | undefined {
  for (let finer = patch - 1; finer >= 1; finer--)
    if (height % finer === 0 && width % finer === 0 && Math.min(height, width) / finer >= fewPatches)
      return finer;
  return undefined;
}
