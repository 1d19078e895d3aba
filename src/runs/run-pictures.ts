/** Pictures that the method of a finished run has drawn, for pages. */

import { join } from "node:path";
import type { PictureFile } from "../core/section.ts";
import { readPlainSync } from "../disk/plain-file.ts";
import { digestOf, otherBytes } from "../disk/vouched.ts";
import { damaged, pictureNameOf } from "./run-folder.ts";
import { readRunManifest } from "./run-manifest.ts";

export interface RunPicture {
  /** As the method calls it. */
  name: string;
  /** What is to be seen of it, for those who know the methods of this package; else its name. */
  words: string;
  draw: () => Promise<PictureFile>;
}

const words: Readonly<Record<string, string>> = {
  reconstructions: "images above, what is decoded of their codes below",
  traversals:
    "each row moves one number of the code from −3 to 3, the others stay as they are for the first image",
  lens: "images above, what the lens lets through below",
};

/** Empty of most methods; bytes are read, and checked, where a picture is shown. */
export function runPictures(folder: string): RunPicture[] {
  const { files } = readRunManifest(folder);
  return Object.keys(files).flatMap((file) => {
    const name = pictureNameOf(file);
    if (name === undefined) return [];
    const draw = async () => pictureAt(join(folder, file), files[file]!);
    return [{ name, words: words[name] ?? name, draw }];
  });
}

function pictureAt(path: string, digest: string): PictureFile {
  const png = readPlainSync(path);
  if (digestOf(png) !== digest) throw damaged(path, otherBytes);
  // Sides stand in the first chunk of every PNG.
  return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
