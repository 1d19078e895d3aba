/** Every intervention. Adding one is a file beside this and a line here. */

import { Registry } from "../../../core/registry.ts";
import { backgroundExchanged } from "./background-exchanged.ts";
import { backgroundGreyed } from "./background-greyed.ts";
import { backgroundRemoved } from "./background-removed.ts";
import { backgroundTiled } from "./background-tiled.ts";
import { border } from "./border.ts";
import { colour } from "./colour.ts";
import { corruptions } from "./corruptions.ts";
import { edges } from "./edges.ts";
import type { Intervention } from "./intervention.ts";
import { jpeg } from "./jpeg.ts";
import { objectMoved } from "./object-moved.ts";
import { patchesShuffled } from "./patches-shuffled.ts";
import { silhouette } from "./silhouette.ts";
import { stylised } from "./stylised.ts";
import { textureSwapped } from "./texture-swapped.ts";
import { watermark } from "./watermark.ts";

export const interventions = new Registry<Intervention>("intervention", [
  watermark,
  backgroundRemoved,
  backgroundGreyed,
  backgroundTiled,
  backgroundExchanged,
  objectMoved,
  stylised,
  textureSwapped,
  patchesShuffled,
  silhouette,
  edges,
  colour,
  border,
  jpeg,
  corruptions,
]);
