import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { encodeImage } from "../../images/codec.ts";
import { encodePng } from "../../images/png.ts";
import { readTextures } from "./index.ts";

const root = temporaryFolder();

/** Stripes of four pale greys. */
function picture(width: number, height: number): Uint8Array {
  const data = Uint8Array.from({ length: width * height }, (_, i) => 200 + (i % 4));
  return encodePng({ data, width, height, channels: 1 });
}

function folderOf(files: Record<string, Uint8Array>): string {
  const folder = mkdtempSync(join(root, "textures-"));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

test("a class is an image or a folder of images; other files and hidden ones are left alone", async () => {
  const moss = picture(64, 48);
  const folder = folderOf({
    "moss.png": moss,
    "bark/b.png": picture(40, 40),
    "bark/old/a.PNG": picture(44, 40),
    "LICENSE.txt": Buffer.from("CC0"),
    ".cache/c.png": picture(2, 2),
  });
  const { kinds, source } = await readTextures(folder);
  expect(kinds.map(({ name, images }) => [name, images.map((image) => image.name)])).toEqual([
    ["bark", ["bark/b.png", "bark/old/a.PNG"]],
    ["moss", ["moss.png"]],
  ]);
  expect(kinds[0]!.images[1]).toMatchObject({ width: 44, height: 40 });
  expect(Object.keys(source.sha256)).toEqual(["bark/b.png", "bark/old/a.PNG", "moss.png"]);
  expect(source.sha256["moss.png"]).toBe(createHash("sha256").update(moss).digest("hex"));
});

test("greys are spread over the whole range", async () => {
  const { kinds } = await readTextures(folderOf({ "moss.png": picture(64, 48) }));
  // Equal shares of four greys: 0, 1, 2 and 3 thirds of 255.
  expect([...kinds[0]!.images[0]!.grey.subarray(0, 5)]).toEqual([0, 85, 170, 255, 0]);
});

test("colours become grey by their luma", async () => {
  // By ITU-R 601 red is 76, green 150, blue 29 and this grey 80; thirds of the sums beyond blue are as above.
  const colours = [255, 0, 0, 0, 255, 0, 0, 0, 255, 80, 80, 80];
  const data = Uint8Array.from({ length: 40 * 40 * 3 }, (_, i) => colours[i % 12]!);
  const { kinds } = await readTextures(
    folderOf({ "flag.png": encodePng({ data, width: 40, height: 40, channels: 3 }) }),
  );
  expect([...kinds[0]!.images[0]!.grey.subarray(0, 4)]).toEqual([85, 255, 0, 170]);
});

test("a JPEG is read", async () => {
  const data = Uint8Array.from({ length: 48 * 40 * 3 }, (_, i) => (Math.floor(i / 3) % 48) * 5);
  const { bytes } = await encodeImage({ data, width: 48, height: 40, channels: 3 }, "jpeg");
  const { kinds } = await readTextures(folderOf({ "ramp/1.jpg": bytes }));
  const { grey } = kinds[0]!.images[0]!;
  expect(grey.length).toBe(48 * 40);
  expect([grey[2]! < 40, grey[45]! > 215]).toEqual([true, true]);
});

test.each<[string, Record<string, Uint8Array>, RegExp]>([
  ["an empty folder", {}, /holds no texture images[\s\S]*at least one image[\s\S]*tiles\.png/],
  ["no image", { "notes.txt": Buffer.from("none") }, /holds no texture images/],
  [
    "a class folder without images",
    { "moss.png": picture(40, 40), "lava/notes.txt": Buffer.from("none") },
    /holds no texture images[\s\S]*where: .*lava/,
  ],
  ["a narrow image", { "moss.png": picture(39, 90) }, /too small[\s\S]*moss\.png[\s\S]*got: 39 × 90/],
  ["a low image", { "moss.png": picture(90, 39) }, /at least 40 × 40 pixels[\s\S]*got: 90 × 39/],
  [
    "a truncated image",
    { "moss/a.png": picture(64, 64).subarray(0, 80) },
    /cannot be read[\s\S]*moss.a\.png[\s\S]*a whole image[\s\S]*got: /,
  ],
  ["something else", { "moss.jpg": Buffer.from("not an image") }, /cannot be read[\s\S]*moss\.jpg/],
  [
    "a class twice",
    { "moss.png": picture(40, 40), "moss/1.png": picture(40, 40) },
    /two entries[\s\S]*"moss"[\s\S]*got: moss and moss\.png/,
  ],
])("%s is refused by name", async (_, files, message) => {
  await expect(readTextures(folderOf(files))).rejects.toThrow(message);
});

test("a folder that is not there is named", async () => {
  const missing = join(root, "nowhere");
  await expect(readTextures(missing)).rejects.toThrow(/cannot read the folder of textures[\s\S]*nowhere/);
});
