/** Grad-CAM: the last map with places, its channels weighed by how far the class's logit rises with them. */

import { CuelabError } from "../core/errors.ts";
import { Executable } from "../engine/executable.ts";
import { cast, grad, input, mean, mul, relu, sum } from "../engine/expressions.ts";
import { asked, differentiable } from "./differentiable.ts";
import { batchesOf, rowsAt } from "./in-batches.ts";
import { imageSize, type SaliencyMethod } from "./saliency-method.ts";
import { stretchMap } from "./stretch-map.ts";

export const gradCam: SaliencyMethod = {
  name: "grad-cam",
  title: "Grad-CAM",
  description:
    "the last map before pooling, each channel weighed by the mean of the logit's gradient over its places; coarse, and never below 0",
  paper: "Selvaraju et al. 2017",
  needs: "gradients",
  explains: ["logits", "features"],
  async open(network, { batch, threads, of = "logits" }) {
    const { build, weights: own } = differentiable(network, "Grad-CAM");
    const { height, width, channels } = network.image;
    const images = input("images", [batch, height, width, channels], "byte");
    const built = build(cast(images, "float"));
    const { map } = built;
    if (map === undefined)
      throw new CuelabError({
        kind: "usage",
        what: `${network.name} has no map with places that Grad-CAM could weigh`,
        expected: "a network with convolutions, or with pooling over places at its end",
        todo: "use integrated-gradients, occlusion or rise, which need none",
      });
    const places = map.layout === "NCHW" ? [2, 3] : [1, 2];
    const channel = map.layout === "NCHW" ? 1 : 3;
    const chosen = asked(built, of, network.name);
    // α_k of equation 1, and equation 2. Images of a batch do not depend on each other, so one gradient serves all.
    const [slope] = grad(sum(chosen), [map.tensor]);
    const alpha = mean(slope!, places, { keep: true });
    const cam = relu(sum(mul(map.tensor, alpha), [channel]));
    const program = await Executable.compile({ outputs: { cam } }, { threads });
    const small = cam.shape.slice(1) as [number, number];
    const [size, taken] = [small[0] * small[1], imageSize(network.image)];
    return {
      async maps(given, rows, weights = own) {
        const count = given.length / taken;
        const each = rows.length / count;
        const values = new Float32Array(count * height * width);
        for (const part of batchesOf(count, batch)) {
          const feeds = { images: rowsAt(given, taken, part, batch), rows: rowsAt(rows, each, part, batch) };
          const found = (await program.run(feeds, { state: weights })).cam as Float32Array;
          for (let i = 0; i < part.used; i++) {
            const stretched = stretchMap(found.subarray(i * size, (i + 1) * size), small, [height, width]);
            values.set(stretched, (part.first + i) * height * width);
          }
        }
        return { values, notes: {} };
      },
      close: () => program.close(),
    };
  },
};
