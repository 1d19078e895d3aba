/** Occlusion: how far the logit of the class falls where a window of the image is hidden. Needs logits alone. */

import { hideWindow } from "./hide.ts";
import { batchesOf } from "./in-batches.ts";
import { imageSize, type SaliencyMethod } from "./saliency-method.ts";

/** A window is a quarter of the shorter side, moved by half of itself. */
const windowShare = 1 / 4;

export const occlusion: SaliencyMethod = {
  name: "occlusion",
  title: "Occlusion",
  description:
    "how far the logit falls when a window is hidden, as the mean over the windows that a pixel lies in; needs no gradients",
  paper: "Zeiler and Fergus 2014",
  needs: "logits",
  explains: ["logits"],
  async open({ image, logits, classes }, { batch, fill }) {
    const { height, width } = image;
    const side = Math.max(1, Math.round(Math.min(height, width) * windowShare));
    const windows = startsOf(height, side).flatMap((top) =>
      startsOf(width, side).map((left) => ({ top, left, height: side, width: side })),
    );
    const covered = new Float32Array(height * width);
    for (const window of windows) addTo(covered, width, window, 1);
    const taken = imageSize(image);

    async function ofOne(one: Uint8Array, row: Float32Array): Promise<Float32Array> {
      const scoreOf = (rows: Float32Array, i: number) => {
        let score = 0;
        for (let k = 0; k < classes; k++) score += row[k]! * rows[i * classes + k]!;
        return score;
      };
      const whole = scoreOf(await logits(one, 1), 0);
      const map = new Float32Array(height * width);
      for (const { first, used } of batchesOf(windows.length, batch)) {
        const hidden = new Uint8Array(used * taken);
        for (let i = 0; i < used; i++) {
          hidden.set(one, i * taken);
          hideWindow(hidden.subarray(i * taken, (i + 1) * taken), image, windows[first + i]!, fill);
        }
        const rows = await logits(hidden, used);
        for (let i = 0; i < used; i++) addTo(map, width, windows[first + i]!, whole - scoreOf(rows, i));
      }
      return map.map((total, place) => total / covered[place]!);
    }

    return {
      async maps(given, rows) {
        const count = given.length / taken;
        const values = new Float32Array(count * height * width);
        for (let i = 0; i < count; i++) {
          const one = given.subarray(i * taken, (i + 1) * taken);
          const found = await ofOne(one, rows.subarray(i * classes, (i + 1) * classes));
          values.set(found, i * height * width);
        }
        return { values, notes: {} };
      },
      close: async () => {},
    };
  },
};

/** The last window ends with the image. */
function startsOf(length: number, side: number): number[] {
  const step = Math.max(1, Math.floor(side / 2));
  const starts = [];
  for (let start = 0; start < length - side; start += step) starts.push(start);
  return [...starts, length - side];
}

interface HiddenWindow {
  top: number;
  left: number;
  height: number;
  width: number;
}

function addTo(
  map: Float32Array,
  columns: number,
  { top, left, height, width }: HiddenWindow,
  value: number,
) {
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++) map[y * columns + x]! += value;
}
