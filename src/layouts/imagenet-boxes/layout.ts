/** Which image goes with which XML file: both in folders of classes, either of them flat, or both. */

import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import { imageExtensions } from "../../images/file-kind.ts";

export interface AnnotatedFile {
  /** Below the folder of images; undefined where an XML file has no image. */
  image: string | undefined;
  /** Below the folder of annotations. */
  xml: string;
  /** The image's folder; undefined where images lie flat. */
  className: string | undefined;
}

const known = new Set<string>(imageExtensions);

export async function listAnnotated(
  images: string,
  annotations: string,
  classes: readonly string[] | undefined,
): Promise<{ files: AnnotatedFile[]; withoutBoxes: number }> {
  const [there, boxes] = [await entriesOf(images), await entriesOf(annotations)];
  if (there.folders.length === 0) return pair("", there.files, "", boxes.files, undefined, true);
  const flat = new Set(boxes.files.map(stem));
  const result = { files: [] as AnnotatedFile[], withoutBoxes: 0 };
  for (const name of classFolders(images, there.folders, classes)) {
    const own = (await entriesOf(join(images, name))).files;
    const folder = boxes.folders.includes(name);
    const xml = folder
      ? (await entriesOf(join(annotations, name))).files
      : own.map((file) => `${stem(file)}.xml`).filter((file) => flat.has(stem(file)));
    const { files, withoutBoxes } = pair(`${name}/`, own, folder ? `${name}/` : "", xml, name, folder);
    result.files.push(...files);
    result.withoutBoxes += withoutBoxes;
  }
  return result;
}

/** Images and XML files of the same base name; `whole`: every XML file should have its image here. */
function pair(
  imageFolder: string,
  images: readonly string[],
  xmlFolder: string,
  xml: readonly string[],
  className: string | undefined,
  whole: boolean,
): { files: AnnotatedFile[]; withoutBoxes: number } {
  const byStem = new Map(
    images
      .filter((name) => known.has(extname(name).slice(1).toLowerCase()))
      .map((name) => [stem(name), name]),
  );
  const files: AnnotatedFile[] = [];
  for (const name of xml) {
    if (!name.endsWith(".xml")) continue;
    const image = byStem.get(stem(name));
    if (image === undefined && !whole) continue;
    byStem.delete(stem(name));
    files.push({
      image: image === undefined ? undefined : imageFolder + image,
      xml: xmlFolder + name,
      className,
    });
  }
  return { files, withoutBoxes: byStem.size };
}

function classFolders(
  images: string,
  folders: readonly string[],
  classes: readonly string[] | undefined,
): readonly string[] {
  if (classes === undefined) {
    if (!["train", "val"].some((split) => folders.includes(split))) return folders;
    throw new CuelabError({
      kind: "input",
      what: "this folder has splits, not classes",
      where: images,
      expected: "folders of classes such as n01440764, or images",
      got: folders.join(", "),
      todo: "name the folder of one split, for images and for annotations",
    });
  }
  for (const name of classes) {
    if (folders.includes(name)) continue;
    const close = nearest(name, folders);
    throw new CuelabError({
      kind: "input",
      what: `the class "${name}" has no folder`,
      where: images,
      expected: `one of ${folders.length} folders, such as ${folders[0]}`,
      ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
    });
  }
  return [...classes].sort();
}

/** Of folders of classes; none where images lie flat or the folder is missing. */
export async function classFolderNames(images: string): Promise<string[]> {
  return (await entriesOf(images).catch(() => ({ folders: [] }))).folders;
}

async function entriesOf(folder: string): Promise<{ folders: string[]; files: string[] }> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(
    ({ name }) => !name.startsWith("."),
  );
  const names = (isFolder: boolean) =>
    entries
      .filter(
        (entry) =>
          isFolder === (entry.isDirectory() || (entry.isSymbolicLink() && extname(entry.name) === "")),
      )
      .map(({ name }) => name)
      .sort();
  return { folders: names(true), files: names(false) };
}

function stem(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}
