/**
 * Integrated gradients: the gradient along the straight way from one colour to the image, times how far each pixel moved. Over
 * all pixels it adds up to what the logit rises on that way, which is checked for each image.
 */

import { Executable } from "../engine/executable.ts";
import { add, cast, grad, input, mul, sub, sum } from "../engine/expressions.ts";
import type { State } from "../engine/state.ts";
import { asked, differentiable } from "./differentiable.ts";
import { rowsAt } from "./in-batches.ts";
import { imageSize, type SaliencyMethod } from "./saliency-method.ts";

/** Points on the way at first; where they leave too much open, twice as many, of which half are known. */
const fewest = 16;
const most = 512;
/** What may be open of the rise, and of a rise near 0. */
const tolerance = 0.02;
const smallRise = 0.02;

export const integratedGradients: SaliencyMethod = {
  name: "integrated-gradients",
  title: "Integrated gradients",
  description:
    "what each pixel adds to the logit on the way from one colour to the image; fine, with pixels that speak against the class below 0",
  paper: "Sundararajan et al. 2017",
  needs: "gradients",
  explains: ["logits", "features"],
  async open(network, { batch, threads, fill, of = "logits" }) {
    const { build, weights: own } = differentiable(network, "integrated gradients");
    const { height, width, channels } = network.image;
    const shape = [batch, height, width, channels];
    const image = cast(input("images", shape, "byte"), "float");
    const start = input("start", [1, 1, 1, channels]);
    const way = sub(image, start);
    const point = add(start, mul(way, input("share", [batch, 1, 1, 1])));
    const built = build(point);
    const logits = asked(built, of, network.name);
    const [slope] = grad(sum(logits), [point]);
    const outputs = { logits, part: sum(mul(slope!, way), [3]) };
    const program = await Executable.compile({ outputs }, { threads });
    const begin = Float32Array.from(fill);
    const places = height * width;

    /** Of one image, the sum over points of the way, each with its weight; and the logits there. */
    async function along(
      images: Uint8Array,
      row: Float32Array,
      shares: readonly number[],
      weigh: (share: number) => number,
      into: Float64Array,
      state: State,
    ): Promise<Map<number, number>> {
      const found = new Map<number, number>();
      const rows = rowsAt(row, row.length, { first: 0, used: 1 }, batch);
      const given = rowsAt(images, images.length, { first: 0, used: 1 }, batch);
      for (let first = 0; first < shares.length; first += batch) {
        const share = Float32Array.from({ length: batch }, (_, i) => shares[first + i] ?? 0);
        const made = await program.run({ images: given, start: begin, share, rows }, { state });
        for (let i = 0; i < batch && first + i < shares.length; i++) {
          const weight = weigh(shares[first + i]!);
          found.set(shares[first + i]!, made.logits![i]!);
          for (let p = 0; p < places; p++) into[p]! += weight * made.part![i * places + p]!;
        }
      }
      return found;
    }

    async function ofOne(images: Uint8Array, row: Float32Array, state: State) {
      // The trapezoid rule: twice the points keep those that are known. The ends count half.
      const total = new Float64Array(places);
      let points = fewest;
      const half = (share: number) => (share === 0 || share === 1 ? 0.5 : 1);
      const all = Array.from({ length: points + 1 }, (_, i) => i / points);
      const known = await along(images, row, all, half, total, state);
      const rise = known.get(1)! - known.get(0)!;
      const open = () => total.reduce((sumSoFar, value) => sumSoFar + value, 0) / points - rise;
      while (Math.abs(open()) > tolerance * Math.max(Math.abs(rise), smallRise) && points < most) {
        const between = Array.from({ length: points }, (_, i) => (i + 0.5) / points);
        await along(images, row, between, () => 1, total, state);
        points *= 2;
      }
      return { values: total.map((value) => value / points), rise, open: open(), points };
    }

    const taken = imageSize(network.image);
    return {
      async maps(given, rows, weights = own) {
        const count = given.length / taken;
        const each = rows.length / count;
        const values = new Float32Array(count * places);
        const notes = {
          rise: new Float32Array(count),
          open: new Float32Array(count),
          points: new Float32Array(count),
        };
        for (let i = 0; i < count; i++) {
          const one = given.subarray(i * taken, (i + 1) * taken);
          const found = await ofOne(one, rows.slice(i * each, (i + 1) * each), weights);
          values.set(found.values, i * places);
          for (const name of ["rise", "open", "points"] as const) notes[name][i] = found[name];
        }
        return { values, notes };
      },
      close: () => program.close(),
    };
  },
};
