/** A small folder laid out as CelebA is, for tests: the true formats of both lists, and JPEG files of the true size. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

/** The published order. */
export const celebaNames = (
  "5_o_Clock_Shadow Arched_Eyebrows Attractive Bags_Under_Eyes Bald Bangs Big_Lips Big_Nose Black_Hair Blond_Hair " +
  "Blurry Brown_Hair Bushy_Eyebrows Chubby Double_Chin Eyeglasses Goatee Gray_Hair Heavy_Makeup High_Cheekbones Male " +
  "Mouth_Slightly_Open Mustache Narrow_Eyes No_Beard Oval_Face Pale_Skin Pointy_Nose Receding_Hairline Rosy_Cheeks " +
  "Sideburns Smiling Straight_Hair Wavy_Hair Wearing_Earrings Wearing_Hat Wearing_Lipstick Wearing_Necklace " +
  "Wearing_Necktie Young"
).split(" ");

export interface FaceRow {
  file: string;
  split: 0 | 1 | 2;
  blond: boolean;
  male: boolean;
}

/** 40 training, 10 validation and 10 test images; of ten, four are blond, and of these one is male; two of the six others are. */
export const faceRows: readonly FaceRow[] = Array.from({ length: 60 }, (_, i) => ({
  file: `${String(i + 1).padStart(6, "0")}.jpg`,
  split: i < 40 ? 0 : i < 50 ? 1 : 2,
  blond: i % 10 < 4,
  male: i % 10 === 0 || i % 10 === 4 || i % 10 === 5,
}));

/** Whether an attribute other than hair and gender holds. */
const holds = (row: number, column: number) => (row * 7 + column * 3) % 5 < 2;

export function attributeValues(row: number): number[] {
  const { blond, male } = faceRows[row]!;
  return celebaNames.map((name, column) => {
    const yes = name === "Blond_Hair" ? blond : name === "Male" ? male : holds(row, column);
    return yes ? 1 : -1;
  });
}

/** As published: values in columns of two characters, a blank after the names. */
export function attributeText(rows: Iterable<number> = faceRows.keys()): string {
  const lines = [...rows].map(
    (row) =>
      `${faceRows[row]!.file} ${attributeValues(row)
        .map((value) => String(value).padStart(2))
        .join(" ")}`,
  );
  return `${lines.length}\n${celebaNames.join(" ")} \n${lines.join("\n")}\n`;
}

export function partitionText(): string {
  return faceRows.map(({ file, split }) => `${file} ${split}\n`).join("");
}

export function attributeCsv(): string {
  const lines = faceRows.map(({ file }, row) => `${file},${attributeValues(row).join(",")}`);
  return `image_id,${celebaNames.join(",")}\r\n${lines.join("\r\n")}\r\n`;
}

export function partitionCsv(): string {
  return `image_id,partition\r\n${faceRows.map(({ file, split }) => `${file},${split}\r\n`).join("")}`;
}

/** Yellow or brown at the top for hair, blue or red below for gender, and a stripe of its own for each image. */
async function face(row: number): Promise<Buffer> {
  const [width, height] = [178, 218];
  const { blond, male } = faceRows[row]!;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const stripe = x >= 2 * row && x < 2 * row + 20;
      const hair = blond ? [230, 210, 90] : [90, 50, 20];
      const rest = male ? [40, 60, 200] : [200, 60, 60];
      // The rows that the square crop leaves away are green.
      const cut = y < 20 || y >= 198;
      data.set(cut ? [0, 255, 0] : stripe ? [240, 240, 240] : y < 90 ? hair : rest, at);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95, chromaSubsampling: "4:4:4" })
    .toBuffer();
}

let faces: Promise<Buffer[]> | undefined;

/** Writes the images into a folder. */
export async function writeFaces(folder: string): Promise<void> {
  faces ??= Promise.all([...faceRows.keys()].map(face));
  mkdirSync(folder, { recursive: true });
  for (const [row, bytes] of (await faces).entries()) writeFileSync(join(folder, faceRows[row]!.file), bytes);
}

/** The flat layout that most people have. */
export async function writeCeleba(folder: string): Promise<string> {
  await writeFaces(join(folder, "img_align_celeba"));
  writeFileSync(join(folder, "list_attr_celeba.txt"), attributeText());
  writeFileSync(join(folder, "list_eval_partition.txt"), partitionText());
  return folder;
}
