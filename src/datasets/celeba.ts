/**
 * CelebA (Liu et al. 2015): faces with forty yes-or-no attributes, read from people's own copy. One attribute is the
 * label and others are cues; by default blond hair, which in training hardly ever goes with being male.
 * The experiment follows Shrestha et al. 2022, section 4.2.
 */

import { resolve } from "node:path";
import { z } from "zod";
import { type Attribute, type Dataset, type Pixels, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { majorityValues } from "../core/majority-values.ts";
import { nearest } from "../core/nearest.ts";
import { randomStream } from "../core/random.ts";
import { inColour } from "../images/fit.ts";
import { centreSquare, resizeBilinear } from "../images/resize.ts";
import { type Celeba, imageDigest, readCeleba } from "../layouts/celeba/index.ts";
import { ImageFiles, reasonOf } from "../sources/image-folder.ts";
import { defineDataset } from "./definition.ts";

const settings = z.object({
  folder: z
    .string()
    .min(1)
    .describe("your copy: list_attr_celeba and list_eval_partition (.txt or .csv), and img_align_celeba"),
  target: z.string().default("Blond_Hair").describe("the attribute that is the label"),
  cue: z.array(z.string()).min(1).default(["Male"]).describe("attributes that may serve as shortcuts"),
  keep: z
    .array(z.string())
    .default([])
    .describe("further attributes to keep, which are no cues; 'all' for all that are left"),
  size: z
    .number()
    .int()
    .min(8)
    .max(1024)
    .default(224)
    .describe("height and width: the middle square of the image, resized"),
  count: z
    .strictObject({
      train: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe("training images, drawn by the seed (all of the list)"),
      val: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe("validation images, drawn by the seed (all of the list)"),
      test: z.number().int().min(0).optional().describe("test images, drawn by the seed (all of the list)"),
    })
    .prefault({}),
});

type CelebaSettings = z.output<typeof settings>;

export const celeba = defineDataset({
  name: "celeba",
  title: "CelebA",
  description:
    "Faces of celebrities with forty attributes, from your own copy, which may not be handed on. The label is whether " +
    "the hair is blond; the shortcut is gender: of a hundred training images fewer than one shows a blond man, while " +
    "not blond is 5.7 times as frequent as blond. Any other attributes can be label and cues.",
  paper: "Liu et al. 2015; Shrestha et al. 2022",
  version: 1,
  settings,
  places: ["folder"],
  examples: ["folder=path/to/celeba", "size=64", "count.train=10000"],
  small: ["size=32", "count.train=36"],
  build: async (chosen, seed) => {
    const source = await readCeleba(chosen.folder);
    const columns = chooseColumns(source, chosen);
    const rows = chooseRows(source, chosen, seed);
    const digest = await imageDigest(source, rows);
    return assemble(source, chosen, seed, columns, rows, digest);
  },
});

/** Places of attributes in the list. */
interface CelebaColumns {
  target: number;
  cues: number[];
  kept: number[];
}

function chooseColumns({ names, places }: Celeba, { target, cue, keep }: CelebaSettings): CelebaColumns {
  const used: string[] = [];
  const take = (name: string, setting: string): number => {
    const at = names.indexOf(name);
    if (at < 0) throw unknownAttribute(name, setting, names, places.attributes);
    if (used.includes(name)) throw usedTwice(name, setting, name === target);
    used.push(name);
    return at;
  };
  const columns = { target: take(target, "target"), cues: cue.map((name) => take(name, "cue")) };
  const rest = names.filter((name) => !used.includes(name));
  const kept = keep.length === 1 && keep[0] === "all" ? rest : keep;
  return { ...columns, kept: kept.map((name) => take(name, "keep")) };
}

/** Rows of the list by split, in the list's order; a count takes the first of a shuffled split. */
function chooseRows({ splits, places }: Celeba, { count }: CelebaSettings, seed: number): Uint32Array {
  const all = Uint32Array.from(splits.keys());
  const parts = standardSplits.map((name, split) => {
    const members = all.filter((row) => splits[row] === split);
    if (members.length === 0) {
      throw new CuelabError({
        kind: "input",
        what: `the split ${name} has no images`,
        where: places.partition,
        expected: `rows with the value ${split}`,
        todo: "take the whole list, or give the missing split some images",
      });
    }
    const wanted = count[name];
    if (wanted === undefined) return members;
    if (wanted > members.length) {
      throw new CuelabError({
        kind: "usage",
        what: `count.${name}=${wanted} is more than there are images`,
        expected: `at most ${members.length}`,
      });
    }
    const shuffled = randomStream(seed, `celeba/${name}`).at(0).permutation(members.length);
    return shuffled
      .slice(0, wanted)
      .sort()
      .map((position) => members[position]!);
  });
  return Uint32Array.from(parts.flatMap((part) => Array.from(part)));
}

function assemble(
  source: Celeba,
  chosen: CelebaSettings,
  seed: number,
  columns: CelebaColumns,
  rows: Uint32Array,
  digest: string,
): Dataset {
  const { names, values, places, sha256 } = source;
  const column = (at: number) => Uint16Array.from(rows, (row) => values[row * names.length + at]!);
  const labels = column(columns.target);
  const splits = Uint8Array.from(rows, (row) => source.splits[row]!);
  const attribute = (at: number, role: Attribute["role"]): [string, Attribute] => {
    const own = column(at);
    const classValues = role === "cue" ? frequentValues(labels, own, splits) : undefined;
    return [
      names[at]!,
      { values: own, valueNames: ["no", "yes"], role, ...(classValues && { classValues }) },
    ];
  };
  const files = new ImageFiles(
    places.images,
    Array.from(rows, (row) => source.images[row]!),
  );
  const { size } = chosen;
  const words = chosen.target.replaceAll("_", " ").toLowerCase();
  return {
    name: "celeba",
    images: {
      count: rows.length,
      shape: { height: size, width: size, channels: 3 },
      costly: true,
      describe: (index) => files.describe(index),
      pixels: (index) => readFace(files, index, size),
    },
    labels,
    classNames: [`not ${words}`, words],
    attributes: Object.fromEntries([
      ...columns.cues.map((at) => attribute(at, "cue")),
      ...columns.kept.map((at) => attribute(at, "other")),
    ]),
    splits: { names: standardSplits, values: splits },
    provenance: {
      title: chosen.target === "Blond_Hair" ? celeba.title : `${celeba.title}: ${words}`,
      description: celebaText(chosen, words),
      generator: { name: celeba.name, version: celeba.version },
      settings: { ...chosen, folder: resolve(chosen.folder) },
      seed,
      sources: [
        { name: "CelebA", license, sha256: { ...sha256, "img_align_celeba (names and sizes)": digest } },
      ],
      citation: celeba.paper,
      license,
      skipped: [],
    },
  };
}

const license = "CelebA's own terms: non-commercial research only, not to be handed on";

/** What this very dataset is. */
function celebaText({ cue, size, count }: CelebaSettings, words: string): string {
  const parts = Object.entries(count).map(([split, wanted]) => `${wanted} ${split} images`);
  return (
    `Faces of celebrities, ${size} × ${size}, from a copy of CelebA, which may not be handed on. The label is whether the ` +
    `attribute "${words}" holds; ${cue.join(", ")} may serve as ${cue.length === 1 ? "a shortcut" : "shortcuts"}.` +
    (parts.length === 0 ? "" : ` Drawn at random from CelebA's own splits: ${parts.join(", ")}.`)
  );
}

/** What Shrestha et al. and others before them trained on: the middle 178 × 178 of 178 × 218 pixels, resized. */
async function readFace(files: ImageFiles, index: number, size: number): Promise<Pixels> {
  try {
    return resizeBilinear(centreSquare(inColour(await files.pixels(index))), size, size);
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "an image cannot be read",
      where: files.path(index),
      expected: "a whole JPEG file",
      got: reasonOf(cause),
      todo: "unpack img_align_celeba again",
      cause,
    });
  }
}

/** Each class's more frequent value in training; undefined where for a class there is none. */
function frequentValues(labels: Uint16Array, values: Uint16Array, splits: Uint8Array): number[] | undefined {
  const counts = [new Uint32Array(2), new Uint32Array(2)];
  for (let i = 0; i < labels.length; i++) if (splits[i] === 0) counts[labels[i]!]![values[i]!]!++;
  const frequent = majorityValues(counts).map(({ value }) => value);
  return frequent.every((value) => value !== undefined) ? frequent : undefined;
}

function unknownAttribute(
  name: string,
  setting: string,
  names: readonly string[],
  list: string,
): CuelabError {
  const close = nearest(name, names);
  return new CuelabError({
    kind: "usage",
    what: `CelebA has no attribute "${name}"`,
    where: `the setting ${setting}`,
    expected: `one of the names in ${list}: ${names.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

function usedTwice(name: string, setting: string, isTarget: boolean): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: isTarget
      ? `${name} is the label and cannot be ${setting === "cue" ? "a cue" : "kept"} too`
      : `${name} is named twice`,
    where: `the setting ${setting}`,
    expected: "each attribute once, as target, in cue or in keep",
  });
}
