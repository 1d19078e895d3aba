/** Features of changed training images, beside those of the images as they are. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { RowFile } from "../disk/row-file.ts";
import { checkArray, checkSize, type FeatureArrayFile, readNumbers } from "./feature-arrays.ts";
import { viewFiles } from "./feature-files.ts";
import { numberBytes } from "./feature-numbers.ts";
import { damagedFeatures as damaged, type FeatureType, type ViewAbout } from "./features-about.ts";

export interface OpenedView {
  about: ViewAbout;
  /** [copies × images, 3]: the image, the one that it was mixed with, and the code of what was done to it. */
  rows: Int32Array;
  /** [copies × images, 2]: how much the view has left of the image, and how much of the loss is its own. */
  shares: Float32Array;
  /** Features in memory, or in their file where they are too many. */
  features: Float32Array | RowFile;
}

/** Found as they were written. Rows in a file are to be closed. */
export async function openView(
  folder: string,
  about: ViewAbout,
  { width, type, count, most }: { width: number; type: FeatureType; count: number; most: number },
): Promise<OpenedView> {
  const paths = viewFiles(about.name);
  const all = about.copies * about.images;
  const rows = await readNumbers(
    join(folder, paths.rows),
    { count: all, width: 3, dtype: "<i4", sha256: about.sha256.rows },
    (buffer) => new Int32Array(buffer),
  );
  const shares = await readNumbers(
    join(folder, paths.shares),
    { count: all, width: 2, dtype: "<f4", sha256: about.sha256.shares },
    (buffer) => new Float32Array(buffer),
  );
  const outside = rows.findIndex((image, i) => i % 3 < 2 && (image < 0 || image >= count));
  if (outside >= 0) throw damaged(join(folder, paths.rows), `image ${rows[outside]} of ${count}`);
  const array: FeatureArrayFile = {
    path: join(folder, paths.features),
    count: all,
    width,
    type,
    sha256: about.sha256.features,
    describe: (row) => `image ${rows[3 * row]} by view "${about.name}"`,
  };
  await checkSize(array);
  const features = 4 * all * width > most ? undefined : new Float32Array(all * width);
  const headerLength = await checkArray(array, features);
  return {
    about,
    rows,
    shares,
    features: features ?? (await RowFile.open(array.path, width, headerLength, numberBytes[type])),
  };
}

/** For whoever wants a view that nobody has extracted. */
export function noSuchView(
  chain: string,
  views: readonly Pick<ViewAbout, "name">[],
  where: string | undefined,
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `these features have no view ${chain}`,
    ...(where !== undefined && { where }),
    expected:
      views.length === 0
        ? "features of changed images"
        : `one of: ${views.map(({ name }) => name).join(", ")}`,
    todo: "extract them again with --views, which makes images ready as methods want them, before the network sees them",
  });
}
