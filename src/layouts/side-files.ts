/** Side images that lie in files, by ours or by others' names. */

import type { ImageShape, Pixels, SideImages } from "../core/dataset.ts";
import { readPlain } from "../disk/plain-file.ts";
import { decodeAsStored } from "../images/codec.ts";
import { withOrigin } from "../images/recipe.ts";
import { unreadableImage } from "../sources/image-folder.ts";

/** Side images that lie in files. */
export function sideFiles(
  path: (index: number) => string,
  description: string,
  shape: ImageShape,
): SideImages {
  const pixels = async (index: number) => {
    try {
      return await decodeSide(await readPlain(path(index)), shape);
    } catch (cause) {
      throw unreadableImage(path(index), cause);
    }
  };
  return withOrigin({ shape, description, pixels }, { kind: "files", files: { path } });
}

/** Others keep masks as grey in three equal channels; a side image is what it is said to be. */
export async function decodeSide(bytes: Uint8Array, shape: ImageShape): Promise<Pixels> {
  const decoded = await decodeAsStored(bytes);
  const { data, height, width, channels } = decoded;
  if (height !== shape.height || width !== shape.width) {
    throw new Error(`${height} × ${width} pixels where ${shape.height} × ${shape.width} belong`);
  }
  if (channels === shape.channels) return decoded;
  if (shape.channels !== 1) throw new Error(`${channels} channels where ${shape.channels} belong`);
  return { data: data.filter((_, i) => i % channels === 0), height, width, channels: 1 };
}
