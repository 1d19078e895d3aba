/** Backgrounds from somebody's own copy of Places (Zhou et al. 2018): all images of some categories, wherever they lie. */

import { join, resolve } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { resizeBilinear } from "../../images/resize.ts";
import { listImages } from "../../sources/list-images.ts";
import { filesDigest, readPhoto, requireFolder } from "../../sources/photo-files.ts";
import { chooseByLists } from "../../sources/photo-lists.ts";
import type { BackgroundSource } from "../../sources/photo-source.ts";
import { findCategories } from "./categories.ts";

/** The categories of UrbanCars (Li et al. 2023, Appendix A.1), by the names that Places365's folders have. */
export const urbanPlaces = [
  "alley",
  "crosswalk",
  "downtown",
  "gas_station",
  "garage-outdoor",
  "driveway",
] as const;
export const countryPlaces = ["forest_road", "field_road", "desert_road"] as const;

export interface PlacesOptions {
  /** The folder of a copy in any of the usual layouts, or one that holds the categories' folders. */
  folder: string;
  categories: readonly string[];
  /** A list of the images to use; see photo-lists.ts. */
  keep?: string | undefined;
  /** A list of images to leave out, such as those that show people or cars. */
  exclude?: string | undefined;
}

const license = "Places' own terms: non-commercial research only; the images belong to their photographers";

/** In the order of the categories given, then of file names. */
export async function readPlaces(options: PlacesOptions): Promise<BackgroundSource> {
  const folder = resolve(options.folder);
  await requireFolder(folder, "your copy of Places: a folder of images a category");
  const found = await findCategories(folder, options.categories);
  const images: { file: string; category: string }[] = [];
  for (const category of options.categories) {
    const before = images.length;
    for (const place of lookUp(found, category)) {
      for (const image of await listImages(join(folder, place))) {
        images.push({ file: place === "" ? image : `${place}/${image}`, category });
      }
    }
    if (images.length === before) throw noImages(category, lookUp(found, category), folder);
  }
  const chosen = new Set(
    await chooseByLists(
      images.map(({ file }) => file),
      options,
    ),
  );
  const used = images.filter(({ file }) => chosen.has(file));
  const path = (index: number) => join(folder, used[index]!.file);
  const files = used.map(({ file }) => file);
  return {
    count: used.length,
    category: (index) => used[index]!.category,
    describe: path,
    pixels: async (index, size) => resizeBilinear(await readPhoto(path(index)), size, size),
    record: {
      name: "Places",
      license,
      sha256: { "images (names and sizes)": await filesDigest(folder, files) },
    },
    skipped: [],
  };
}

function noImages(category: string, places: readonly string[], folder: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the category "${category}" has no images`,
    where: places.map((place) => join(folder, place)).join(", "),
    expected: "at least one image in the folder",
    todo: "unpack the archive again",
  });
}
