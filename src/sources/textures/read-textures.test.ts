import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { encodePng } from "../../core/images/png.ts";
import { readTextures } from "./index.ts";

const root = temporaryFolder();

/** A ramp, so that its histogram is flat already. */
function picture(width: number, height: number, channels = 1): Uint8Array {
  const data = Uint8Array.from({ length: width * height * channels }, (_, i) => (i / channels) % 256);
  return encodePng({ data, width, height, channels });
}

function folderOf(files: Record<string, Uint8Array>): string {
  const folder = mkdtempSync(join(root, "textures-"));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

test("a class is an image or a folder of images", async () => {
  const { kinds, source } = await readTextures(
    folderOf({
      "moss.png": picture(64, 48),
      "bark/b.png": picture(40, 40),
      "bark/a.png": picture(41, 40, 3),
      "LICENSE.txt": Buffer.from("CC0"),
    }),
  );
  expect(kinds.map(({ name, images }) => [name, images.map((image) => image.name)])).toEqual([
    ["bark", ["bark/a.png", "bark/b.png"]],
    ["moss", ["moss.png"]],
  ]);
  expect(kinds[0]!.images[0]).toMatchObject({ width: 41, height: 40 });
  expect(Object.keys(source.sha256)).toEqual(["bark/a.png", "bark/b.png", "moss.png"]);
});
