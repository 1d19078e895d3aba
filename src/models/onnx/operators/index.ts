/** The operators that foreign graphs are read with, by name. */

import type { OperatorFamily, OperatorReader } from "../call.ts";
import { activations } from "./activations.ts";
import { constants } from "./constants.ts";
import { elementwise } from "./elementwise.ts";
import { layout } from "./layout.ts";
import { movement } from "./movement.ts";
import { normalisation } from "./normalisation.ts";
import { products } from "./products.ts";
import { reductions } from "./reductions.ts";
import { resize } from "./resize.ts";
import { windows } from "./windows.ts";

/** By what they do, for the docs. */
export const operatorFamilies: Readonly<Record<string, OperatorFamily>> = {
  "convolution and pooling": windows,
  products,
  normalisation,
  activations,
  elementwise,
  reductions,
  layout,
  movement,
  resize,
  constants,
};

export const operatorReaders: ReadonlyMap<string, OperatorReader> = new Map(
  Object.values(operatorFamilies).flatMap((family) => Object.entries(family)),
);
