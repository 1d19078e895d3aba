/**
 * The last part of the build: what the package carries of others' packages, so that those need not be installed with it. Font
 * files that are used, and onnxruntime without its install script. Files are linked where they can be, and copied elsewhere.
 */

import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { carriedPlatforms } from "./dist/src/engine/native-runtime.js";
import { carriedFonts, fontFileName, partsOf } from "./dist/src/images/font-files.js";

for (const [name, { parts, weights }] of Object.entries(carriedFonts)) {
  const from = join("node_modules/@fontsource", name);
  const to = join("dist/fonts", name);
  place(join(from, "LICENSE"), join(to, "LICENSE"));
  place(join(from, "unicode.json"), join(to, "unicode.json"));
  const all = parts ?? partsOf(readFileSync(join(from, "unicode.json"), "utf8")).map(([part]) => part);
  for (const weight of weights)
    for (const part of all) {
      const file = fontFileName(name, part, weight);
      place(join(from, "files", file), join(to, file));
    }
}

const [runtime, carried] = ["node_modules/onnxruntime-node", "dist/runtime"];
// `type` lets Node read its modules, which are CommonJS, within ours.
const { name, version, license, author, repository } = JSON.parse(
  readFileSync(join(runtime, "package.json"), "utf8"),
);
mkdirSync(carried, { recursive: true });
writeFileSync(
  join(carried, "package.json"),
  `${JSON.stringify({ name, version, license, author, repository, type: "commonjs", private: true }, null, 2)}\n`,
);
// Its package says MIT and holds no text of it.
place("licenses/onnxruntime.txt", join(carried, "LICENSE"));
for (const file of readdirSync(join(runtime, "dist")).filter((each) => each.endsWith(".js")))
  place(join(runtime, "dist", file), join(carried, "dist", file));
for (const platform of carriedPlatforms) {
  const binaries = join("bin/napi-v6", ...platform.split("-"));
  // macOS has its library twice, and loads the one with the shorter name.
  for (const file of readdirSync(join(runtime, binaries)))
    if (file !== `libonnxruntime.${version}.dylib`)
      place(join(runtime, binaries, file), join(carried, binaries, file));
}

function place(from, to) {
  const source = statSync(from);
  const target = statSync(to, { throwIfNoEntry: false });
  if (target?.ino === source.ino || (target?.size === source.size && target.mtimeMs >= source.mtimeMs))
    return;
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
