/** Every view. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { augmix } from "./augmix.ts";
import { backgroundSwap } from "./background-swap.ts";
import { coObjectSwap } from "./co-object-swap.ts";
import { copy } from "./copy.ts";
import { crop } from "./crop.ts";
import { cutmix } from "./cutmix.ts";
import { erase } from "./erase.ts";
import { flip } from "./flip.ts";
import { grey } from "./grey.ts";
import { greyBox } from "./grey-box.ts";
import { jitter } from "./jitter.ts";
import { mixup } from "./mixup.ts";
import { oneOf } from "./one-of.ts";
import { original } from "./original.ts";
import { randomBackground } from "./random-background.ts";
import { sobelEdges } from "./sobel-edges.ts";
import { textureSwap } from "./texture-swap.ts";
import type { View } from "./view.ts";
import { watermark } from "./watermark.ts";

export const views = new Registry<View>(
  "view",
  [
    crop,
    flip,
    jitter,
    grey,
    erase,
    watermark,
    mixup,
    cutmix,
    backgroundSwap,
    coObjectSwap,
    textureSwap,
    sobelEdges,
    copy,
    oneOf,
    original,
    augmix,
    greyBox,
    randomBackground,
  ],
  { plugins: "views" },
);
