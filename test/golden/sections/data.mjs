/** Datasets as they are written: content hashes, bytes of every format, and what `data check` says of them. */

import { join } from "node:path";
import { files } from "../digest.mjs";

/** Settings of each, small. */
const datasets = {
  "colored-mnist": "trainPerEnvironment=60",
  "biased-mnist": "count.train=60 count.val=20 count.test=20 scale=48",
  diagvib: "count.train=60 count.val=20 count.test=20 size=64",
  "diagvib-study": "count.train=60 count.val=20 count.test=20 count.testId=20 size=64",
  "urban-cars": "size=64 count.train=40 count.val=8 count.test=8",
  "hard-spurious":
    "classes=cow,van,fireplug size=32 photographs.side=64 inpaint=tiled count.train.easy=4 count.train.medium=1 " +
    "count.train.hard=1 count.val=1 count.test=2",
};
/** Drawn by Skia, whose rounding depends on the processor. */
const drawn = ["urban-cars", "hard-spurious"];
const general = ["folder", "parquet", "webdataset", "npz"];

/** Every format with a plain dataset and with one that has boxes and side images; the others in one format. */
const cases = [
  ...general.map((format) => ["colored-mnist", format]),
  ...[...general, "urban-cars"].map((format) => ["urban-cars", format]),
  ...["biased-mnist", "diagvib", "diagvib-study", "hard-spurious"].map((dataset) => [dataset, "npz"]),
];

export async function data({ checkout, folder, short }) {
  const chosen = cases.filter(([dataset]) => !short || dataset === "colored-mnist");
  const made = await Promise.all(chosen.map((one) => written(checkout, folder, one)));
  const [portable, bits] = [{}, {}];
  for (const { name, hash, bytes, check, isDrawn } of made) {
    bits[name] = { bytes, ...(isDrawn ? { hash } : {}) };
    portable[name] = { check, ...(isDrawn ? {} : { hash }) };
  }
  return { portable, bits };
}

async function written(checkout, folder, [dataset, format]) {
  const out = `data-${dataset}-${format}`;
  const settings = datasets[dataset].replace(/^| /g, " --set ");
  const make = `data make ${dataset}${settings} --format ${format} --out ${out} --quiet`;
  await checkout.cuelab(make, { cwd: folder });
  const told = await checkout.cuelab(`data check ${out} --json --quiet`, { cwd: folder });
  const { hash, declaredHash, ...check } = JSON.parse(told);
  return {
    name: `${dataset} as ${format}`,
    hash: hash === declaredHash ? hash : `${hash}, declared as ${declaredHash}`,
    bytes: files(join(folder, out)),
    check,
    isDrawn: drawn.includes(dataset),
  };
}
