/** What every dataset must keep: columns that agree, images made by index alone, a seed that decides. */

import { ContentHasher, digestLength, pixelDigest } from "../core/content-hash.ts";
import type { Dataset } from "../core/dataset.ts";
import { describeSettings, parseAssignments } from "../core/settings.ts";
import type { DatasetDefinition } from "../datasets/definition.ts";
import { threadsFor } from "../formats/chunks-in-order.ts";
import { processImages, refuseBroken } from "../formats/process-images.ts";
import { type Check, must } from "./check.ts";

export interface DatasetCheckOptions {
  /** Settings beside the small form's, such as where people keep files. */
  set?: readonly string[];
  /** The hash of what so many threads, or none, make of the small form at seed 0. */
  contentBy?: (workers: number) => Promise<string>;
}

export function datasetChecks(definition: DatasetDefinition, options: DatasetCheckOptions = {}): Check[] {
  const assignments = [...(options.set ?? []), ...definition.small];
  const build = (seed: number) => definition.build(parseAssignments(definition.settings, assignments), seed);
  const { contentBy = async (workers: number) => contentMadeBy(workers, await build(0)) } = options;
  return [
    { name: "it is described, and its examples are settings that it has", run: () => checkWords(definition) },
    {
      name: "columns agree with each other and with their names",
      run: async () => checkColumns(await build(0)),
    },
    {
      name: "every image has the declared shape",
      run: async () => {
        const { images } = await build(0);
        for (let i = 0; i < images.count; i += 17) {
          const { data, height, width, channels } = await images.pixels(i);
          const [got, expected] = [{ height, width, channels }, images.shape].map((each) =>
            JSON.stringify(each),
          );
          must(got === expected, "an image has another shape than declared", {
            where: images.describe(i),
            expected: expected!,
            got: got!,
          });
          must(data.length === height * width * channels, "an image has too few or too many bytes", {
            where: images.describe(i),
            expected: String(height * width * channels),
            got: String(data.length),
          });
        }
      },
    },
    {
      name: "the seed decides: same seed same content, other seed other content",
      run: async () => {
        const [first, again, other] = [
          await glimpse(await build(0)),
          await glimpse(await build(0)),
          await glimpse(await build(1)),
        ];
        must(first === again, "two builds of one seed differ", {
          todo: 'draw from randomStream(seed, "<dataset>/<purpose>"), and from nothing else',
        });
        must(first !== other, "another seed gives the same content");
      },
    },
    {
      name: "images do not depend on the order in which they are asked for",
      run: async () => {
        const [forwards, backwards] = [(await build(0)).images, (await build(0)).images];
        const indices = [0, 5, 50, forwards.count - 1].filter((i) => i < forwards.count);
        const there = new Map<number, string>();
        for (const i of indices) there.set(i, digestOf(await forwards.pixels(i)));
        for (const i of indices.toReversed()) {
          must(digestOf(await backwards.pixels(i)) === there.get(i), "an image depends on those before it", {
            where: backwards.describe(i),
            todo: "draw from randomStream(…).at(index), so that each image has random numbers of its own",
          });
        }
      },
    },
    {
      name: "1, 2 and 4 worker threads make the same content as this one",
      run: async () => {
        const here = await contentBy(0);
        const { images } = await build(0);
        // More than have work would be the same once more.
        for (const workers of new Set([1, 2, 4].map((each) => threadsFor(images, each)))) {
          const found = await contentBy(workers);
          must(found === here, `${workers} threads make other content`, { expected: here, got: found });
        }
      },
    },
  ];
}

function checkWords({ title, description, settings, examples, small }: DatasetDefinition): void {
  must(title !== "" && description !== "", "it has no title or no description");
  for (const { key, description: said, required } of describeSettings(settings)) {
    must(said !== "", `setting "${key}" is not described`, { todo: `${key}: z.….describe("…")` });
    must(
      !required || examples.join().includes(`${key}=`),
      `no example shows the setting "${key}", which must be given`,
    );
  }
  parseAssignments(settings, examples);
  parseAssignments(settings, small);
}

function checkColumns({ images, labels, classNames, attributes, splits }: Dataset): void {
  const { count } = images;
  must(count > 0, "there are no images");
  const column = (name: string, values: ArrayLike<number>, names: readonly string[]) => {
    must(values.length === count, `${name} has not one value an image`, {
      expected: String(count),
      got: String(values.length),
    });
    const wrong = Array.prototype.findIndex.call(values, (value: number) => value >= names.length);
    if (wrong >= 0)
      must(false, `${name} has a value without a name`, {
        where: images.describe(wrong),
        expected: `0 to ${names.length - 1}: ${names.join(", ")}`,
        got: String(values[wrong]),
      });
    must(new Set(names).size === names.length, `two values of ${name} have one name`);
  };
  column("the label", labels, classNames);
  column("the split", splits.values, splits.names);
  const disordered = splits.values.findIndex((split, i) => i > 0 && split < splits.values[i - 1]!);
  if (disordered >= 0)
    must(false, "images are not in the order of their splits", { where: images.describe(disordered) });
  for (const [name, { values, valueNames, classValues }] of Object.entries(attributes)) {
    column(`attribute "${name}"`, values, valueNames);
    must(
      classValues === undefined || classValues.length === classNames.length,
      `attribute "${name}" has not one value that goes with each class`,
    );
  }
  must(
    Object.values(attributes).some(({ role }) => role === "cue"),
    'no attribute has the role "cue"',
    { todo: "say which property could serve as a shortcut" },
  );
}

/** The hash of what so many threads, or none, make of all images. */
export async function contentMadeBy(workers: number, dataset: Dataset): Promise<string> {
  const hasher = new ContentHasher(dataset);
  for await (const chunk of processImages(dataset, { encoding: "none", workers })) {
    refuseBroken(chunk, dataset.images, { canSkip: false });
    hasher.update(chunk.digests);
  }
  return hasher.digest();
}

/** So many images tell whether two datasets are one; threads make all of them anew. */
const glimpsed = 64;

/** Of all columns, and of images spread over all. */
async function glimpse(dataset: Dataset): Promise<string> {
  const { images } = dataset;
  const { count } = images;
  const digests = new Uint8Array(digestLength * count);
  for (let i = 0; i < count; i += Math.ceil(count / glimpsed))
    digests.set(pixelDigest(await images.pixels(i)), digestLength * i);
  const hasher = new ContentHasher(dataset);
  hasher.update(digests);
  return hasher.digest();
}

function digestOf(pixels: Parameters<typeof pixelDigest>[0]): string {
  return Buffer.from(pixelDigest(pixels)).toString("hex");
}
