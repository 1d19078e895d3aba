/** A small folder laid out as Waterbirds is (`waterbird_complete95_forest2water2`), for tests: its table's columns and its folders' names. */

import { photo, writeAt } from "./photos.ts";

/** Of each kind of bird: on land and on water, by split; 95% of training on its own ground. */
const counts = [
  { split: 0, own: 19, other: 1 },
  { split: 1, own: 4, other: 4 },
  { split: 2, own: 6, other: 6 },
];

const birds = [
  { folder: "014.Indigo_Bunting", name: "Indigo_Bunting", colour: [60, 80, 220] },
  { folder: "001.Black_footed_Albatross", name: "Black_Footed_Albatross", colour: [30, 30, 30] },
] as const;

export async function writeWaterbirds(folder: string): Promise<string> {
  const lines = ["img_id,img_filename,y,split,place,place_filename"];
  for (const { split, own, other } of counts) {
    for (const [y, bird] of birds.entries()) {
      for (let i = 0; i < own + other; i++) {
        const [id, place] = [lines.length, i < own ? y : 1 - y];
        const file = `${bird.folder}/${bird.name}_${String(id).padStart(4, "0")}_${7000 + id}.jpg`;
        // Sizes differ from photo to photo, as there.
        const [width, height] = [60 + (id % 5), 48 + (id % 3)];
        const ground = { left: 0, top: 0, width, height };
        const background = await photo(width, height, ground, place === 0 ? [40, 140, 40] : [60, 120, 200]);
        const shown =
          i % 2 === 0
            ? await photo(width, height, { left: 20, top: 16, width: 20, height: 16 }, bird.colour)
            : background;
        writeAt(folder, file, shown);
        lines.push(
          [
            id,
            file,
            y,
            split,
            place,
            place === 0 ? "/b/bamboo_forest/00000100.jpg" : "/o/ocean/00000200.jpg",
          ].join(),
        );
      }
    }
  }
  writeAt(folder, "metadata.csv", `${lines.join("\n")}\n`);
  return folder;
}
