/** What a network from an ONNX file is called among the others. */

import { basename } from "node:path";

/** Of the file's name, in the letters that names have: `their.onnx` is `their-onnx`. */
export function onnxModelName(path: string): string {
  const words = basename(path, ".onnx")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
  return [...words, "onnx"].join("-");
}
