/** What a texture is, wherever it comes from. */

/** Crops are 40 × 40, the canvas of a digit of 28 pixels in DiagViB-6. */
export const smallestSide = 40;

export interface TextureImage {
  name: string;
  width: number;
  height: number;
  /** Histogram-normalised, one byte a pixel, rows first. */
  grey: Uint8Array;
}
