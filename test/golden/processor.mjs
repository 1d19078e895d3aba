/** What bits depend on beside the code: the processor's instructions, and libraries that round or compress. */

import { readFileSync } from "node:fs";
import { arch } from "node:os";
import { join } from "node:path";

/** Instructions by which the runtime, Skia and the image codecs choose their kernels. */
const instructions = [
  "avx",
  "avx2",
  "fma",
  "avx512f",
  "avx512_vnni",
  "avx512_bf16",
  "amx_tile",
  "asimd",
  "sve",
];

export function machineOf(checkout) {
  const version = (name) =>
    JSON.parse(readFileSync(join(checkout.folder, "node_modules", name, "package.json"), "utf8")).version;
  return {
    processor: [arch(), ...flags()].join(" "),
    onnxruntime: version("onnxruntime-node"),
    sharp: version("sharp"),
    zlib: process.versions.zlib,
  };
}

function flags() {
  try {
    const [, list] = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"));
    const known = new Set(list.split(" "));
    return instructions.filter((name) => known.has(name));
  } catch {
    return ["(instructions unknown)"];
  }
}
