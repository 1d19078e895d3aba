/** A part of an image. */

/** In whole pixels, from the top left corner of the image. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
