/** Pictures that go with photographs by their names: masks, and images inpainted elsewhere. */

import type { Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { readPhoto, readPixels } from "../../sources/photo-files.ts";

export async function readMask(path: string, { width, height }: Pixels): Promise<Uint8Array> {
  const { data, channels, ...size } = await readPixels(path, "a mask");
  if (size.width !== width || size.height !== height) {
    throw new CuelabError({
      kind: "input",
      what: "a mask has another size than its photograph",
      where: path,
      expected: `${width} × ${height}`,
      got: `${size.width} × ${size.height}`,
    });
  }
  const mask = Uint8Array.from({ length: width * height }, (_, i) => (data[i * channels]! > 127 ? 255 : 0));
  if (mask.includes(255)) return mask;
  throw new CuelabError({
    kind: "input",
    what: "a mask is empty",
    where: path,
    expected: "white, or values above 127, where the object is",
    got: `no value above ${data.reduce((most, value) => Math.max(most, value), 0)}`,
    todo: "make the mask again, or leave its photograph out of the boxes",
  });
}

/** Of any resolution, but of the photograph's shape: else its background would be another's, squeezed or cut. */
export async function readInpainted(
  path: string,
  photograph: Pixels,
  photographPath: string,
): Promise<Pixels> {
  const image = await readPhoto(path);
  // Some scale makes both sides those of the photograph, each within a pixel of rounding.
  const off = Math.abs(image.width * photograph.height - image.height * photograph.width);
  if (off < photograph.width + photograph.height) return image;
  throw new CuelabError({
    kind: "input",
    what: "an inpainted image has another shape than its photograph",
    where: path,
    expected: `${photograph.width} × ${photograph.height}, or the same shape at another resolution (${photographPath})`,
    got: `${image.width} × ${image.height}`,
    todo: "inpaint the whole photograph, neither squeezed nor cut",
  });
}
