/** What is left of an image that was stored as JPEG. */

import type { Pixels } from "../../core/dataset.ts";
import { decodeImage, encodeJpeg } from "../codec.ts";

/** By quality as libjpeg counts it, from 1 to 100; other encoders leave other traces at equal quality. */
export async function recompressed(image: Pixels, quality: number): Promise<Pixels> {
  const { height, width, channels } = image;
  const { data } = await decodeImage(await encodeJpeg(image, quality), { height, width, channels });
  return { data, height, width, channels };
}
