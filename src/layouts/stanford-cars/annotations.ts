/** Which class each image of somebody's copy of Stanford Cars has, by whichever of the usual layouts the copy follows. */

import { stat } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { listImages } from "../../sources/list-images.ts";
import { readTable } from "../../sources/table.ts";
import { countryCars, urbanCars } from "./classes.ts";
import { type MatRecord, type MatValue, readMatFile } from "./mat-file.ts";

type CarClass = (typeof urbanCars)[number] | (typeof countryCars)[number];

export interface CarImage {
  /** Relative to the folder, with forward slashes. */
  file: string;
  carClass: CarClass;
}

const carClasses: readonly CarClass[] = [...urbanCars, ...countryCars];
const byKey = new Map(carClasses.map((name) => [keyOf(name), name]));

/** In the order of file names. */
export async function readCarClasses(folder: string): Promise<CarImage[]> {
  const images = (await fromDevkit(folder)) ?? (await fromTable(folder)) ?? (await fromClassFolders(folder));
  return images.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** File systems have no slash in names, and mirrors put other things in its place: letters and digits decide. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Stanford's own: lists in MATLAB files beside folders of numbered images. */
async function fromDevkit(folder: string): Promise<CarImage[] | undefined> {
  const all = await firstOf(folder, ["cars_annos.mat", "devkit/cars_annos.mat"]);
  const train = await firstOf(folder, devkitPlaces("cars_train_annos.mat"));
  if (all === undefined && train === undefined) return undefined;
  if (train === undefined) {
    const { annotations, class_names } = await readVariables(join(folder, all!));
    const names = classNames(class_names, join(folder, all!));
    return records(annotations, join(folder, all!)).map((record, i) =>
      imageOf(record, i, "relative_im_path", "", names, join(folder, all!)),
    );
  }
  const meta = await firstOf(folder, devkitPlaces("cars_meta.mat"));
  if (meta === undefined) throw missing(folder, "cars_meta.mat");
  const names = classNames((await readVariables(join(folder, meta))).class_names, join(folder, meta));
  const lists: [place: string, list: string][] = [["cars_train", train]];
  if ((await stat(join(folder, "cars_test")).catch(() => undefined)) !== undefined) {
    const test = await firstOf(folder, devkitPlaces("cars_test_annos_withlabels.mat"));
    if (test === undefined) throw missing(folder, "cars_test_annos_withlabels.mat");
    lists.push(["cars_test", test]);
  }
  const images: CarImage[] = [];
  for (const [place, list] of lists) {
    const path = join(folder, list);
    const { annotations } = await readVariables(path);
    for (const [i, record] of records(annotations, path).entries()) {
      images.push(imageOf(record, i, "fname", `${place}/`, names, path));
    }
  }
  return images;
}

function devkitPlaces(name: string): string[] {
  return [`devkit/${name}`, name, `car_devkit/devkit/${name}`];
}

async function firstOf(folder: string, candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    if ((await stat(join(folder, candidate)).catch(() => undefined))?.isFile()) return candidate;
  }
  return undefined;
}

async function readVariables(path: string): Promise<Record<string, MatValue>> {
  return readMatFile(path, await readPlain(path));
}

function records(value: MatValue | undefined, path: string): MatRecord[] {
  if (Array.isArray(value) && value.length > 0 && typeof value[0] === "object" && !Array.isArray(value[0])) {
    return value as MatRecord[];
  }
  throw new CuelabError({
    kind: "input",
    what: "the list has no annotations",
    where: path,
    expected: 'a struct array "annotations" with at least one element',
  });
}

/** The class of each id, which count from 1. */
function classNames(value: MatValue | undefined, path: string): CarClass[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "the list has no class names",
      where: path,
      expected: 'a cell array "class_names"',
    });
  }
  return value.map((name, i) => carClassOf(typeof name === "string" ? name : "", `${path}, class ${i + 1}`));
}

function imageOf(
  record: MatRecord,
  index: number,
  nameField: string,
  folder: string,
  names: readonly CarClass[],
  path: string,
): CarImage {
  const where = `${path}, annotation ${index + 1}`;
  const { class: ids, [nameField]: file } = record;
  if (typeof file !== "string" || file === "") {
    throw new CuelabError({
      kind: "input",
      what: "an annotation names no file",
      where,
      expected: `a field "${nameField}"`,
    });
  }
  const first = Array.isArray(ids) ? ids[0] : undefined;
  const id = typeof first === "number" ? first : undefined;
  const carClass = id === undefined ? undefined : names[id - 1];
  if (carClass === undefined) {
    throw new CuelabError({
      kind: "input",
      what: id === undefined ? "an annotation has no class" : "an annotation has a class that does not exist",
      where: `${where} (${file})`,
      expected: `a class from 1 to ${names.length}`,
      got: id === undefined ? "none" : String(id),
      ...(id === undefined
        ? { todo: "of the test images' lists take the one with labels: cars_test_annos_withlabels.mat" }
        : {}),
    });
  }
  return { file: folder + file, carClass };
}

/** `annotations.csv` with the columns file and class. */
async function fromTable(folder: string): Promise<CarImage[] | undefined> {
  const path = join(folder, "annotations.csv");
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  const rows = await readTable(path, ["file", "class"]);
  return rows.map(({ line, values }) => ({
    file: values.file!.replaceAll("\\", "/"),
    carClass: carClassOf(values.class!, `${path}, line ${line}`),
  }));
}

/** Images in folders with the names of classes, at any depth. */
async function fromClassFolders(folder: string): Promise<CarImage[]> {
  const files = await listImages(folder);
  if (files.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "there are no car images",
      where: folder,
      expected:
        "Stanford's own layout (cars_train, cars_test, devkit), annotations.csv, or folders with the names of classes",
      todo: "unpack the archives first, or name the folder that holds them",
    });
  }
  return files.map((file) => {
    const carClass = file
      .split("/")
      .slice(0, -1)
      .reverse()
      .map((part) => byKey.get(keyOf(part)))
      .find((name) => name !== undefined);
    return {
      file,
      carClass: carClass ?? carClassOf(basename(posix.dirname(file)), join(folder, posix.dirname(file))),
    };
  });
}

function carClassOf(name: string, where: string): CarClass {
  const carClass = byKey.get(keyOf(name));
  if (carClass !== undefined) return carClass;
  const close = nearest(name, carClasses);
  throw new CuelabError({
    kind: "input",
    what: `"${name}" is none of Stanford Cars' 196 classes`,
    where,
    expected: 'a class such as "Audi TT RS Coupe 2012"',
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

function missing(folder: string, name: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${name} is missing`,
    where: folder,
    expected: `one of: ${devkitPlaces(name).join(", ")}`,
    todo:
      name === "cars_meta.mat"
        ? "unpack Stanford's devkit again"
        : "put it there, or move cars_test elsewhere to use the training images alone",
  });
}
