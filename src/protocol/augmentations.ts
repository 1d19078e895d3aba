/** Changes to training images, done on bytes in the batch worker. Each draws from the image's own random stream. */

import type { ImageShape } from "../core/dataset.ts";
import type { Random } from "../core/random.ts";
import { addRandomWatermark } from "../core/watermark/random-watermark.ts";

/** One image, rows first, channels innermost; changed in place. */
type Change = (image: Uint8Array, shape: ImageShape, random: Random) => void;

/** Changes of single images, in the order in which they are applied. */
const changes = {
  /** A window of 70–100% of the area and aspect 3/4–4/3, enlarged again (Salaudeen et al., Appendix C.1). */
  crop: randomResizedCrop,
  flip: (image, shape, random) => {
    if (random.boolean(0.5)) mirror(image, shape);
  },
  /** Brightness, contrast, saturation and hue by up to 30% each. */
  jitter: colorJitter,
  grey: (image, shape, random) => {
    if (random.boolean(0.1)) saturate(image, shape, 0);
  },
  /** A rectangle of 2–33% of the area blacked out in a tenth of the images (random erasing). */
  erase: (image, shape, random) => {
    if (random.boolean(0.1)) eraseRectangle(image, shape, random);
  },
  /** White text of random place, size and characters on half of the images (Li et al. 2023, Appendix B.1). */
  watermark: (image, shape, random) => {
    if (random.boolean(0.5)) addRandomWatermark(image, shape, random);
  },
} satisfies Record<string, Change>;

/** Mixings of two images of a batch and their losses, with the α of their Beta distribution. */
export const mixings = { mixup: 0.2, cutmix: 1 } as const;

export const augmentationNames = [
  "crop",
  "flip",
  "jitter",
  "grey",
  "erase",
  "watermark",
  "mixup",
  "cutmix",
] as const;
export type AugmentationName = (typeof augmentationNames)[number];

export function augmentImage(
  image: Uint8Array,
  shape: ImageShape,
  names: readonly AugmentationName[],
  random: Random,
): void {
  for (const [name, change] of Object.entries(changes)) {
    if (names.includes(name as AugmentationName)) change(image, shape, random);
  }
}

function mirror(image: Uint8Array, { height, width, channels }: ImageShape): void {
  for (let y = 0; y < height; y++) {
    const row = y * width * channels;
    for (let left = 0, right = width - 1; left < right; left++, right--) {
      for (let c = 0; c < channels; c++) {
        const [a, b] = [row + left * channels + c, row + right * channels + c];
        const kept = image[a]!;
        image[a] = image[b]!;
        image[b] = kept;
      }
    }
  }
}

function randomResizedCrop(image: Uint8Array, shape: ImageShape, random: Random): void {
  const { height, width } = shape;
  const area = height * width * (0.7 + 0.3 * random.uniform());
  const aspect = Math.exp(Math.log(3 / 4) + random.uniform() * 2 * Math.log(4 / 3));
  const cropWidth = Math.min(width, Math.sqrt(area * aspect));
  const cropHeight = Math.min(height, Math.sqrt(area / aspect));
  const left = random.uniform() * (width - cropWidth);
  const top = random.uniform() * (height - cropHeight);
  resample(image, shape, { left, top, cropWidth, cropHeight });
}

interface Window {
  left: number;
  top: number;
  cropWidth: number;
  cropHeight: number;
}

/** Bilinear, with pixel centres at half integers. */
function resample(
  image: Uint8Array,
  { height, width, channels }: ImageShape,
  { left, top, cropWidth, cropHeight }: Window,
): void {
  const source = Uint8Array.from(image);
  for (let y = 0; y < height; y++) {
    const fromY = clamp(top + ((y + 0.5) * cropHeight) / height - 0.5, height - 1);
    const y0 = Math.floor(fromY);
    const y1 = Math.min(y0 + 1, height - 1);
    const down = fromY - y0;
    for (let x = 0; x < width; x++) {
      const fromX = clamp(left + ((x + 0.5) * cropWidth) / width - 0.5, width - 1);
      const x0 = Math.floor(fromX);
      const x1 = Math.min(x0 + 1, width - 1);
      const right = fromX - x0;
      for (let c = 0; c < channels; c++) {
        const at = (row: number, column: number) => source[(row * width + column) * channels + c]!;
        const upper = at(y0, x0) * (1 - right) + at(y0, x1) * right;
        const lower = at(y1, x0) * (1 - right) + at(y1, x1) * right;
        image[(y * width + x) * channels + c] = Math.round(upper * (1 - down) + lower * down);
      }
    }
  }
}

function colorJitter(image: Uint8Array, shape: ImageShape, random: Random): void {
  const factor = () => 0.7 + 0.6 * random.uniform();
  const brightness = factor();
  for (let i = 0; i < image.length; i++) image[i] = toByte(image[i]! * brightness);
  const contrast = factor();
  const mean = meanGrey(image, shape);
  for (let i = 0; i < image.length; i++) image[i] = toByte(mean + (image[i]! - mean) * contrast);
  saturate(image, shape, factor());
  rotateHue(image, shape, (2 * random.uniform() - 1) * 0.3 * 2 * Math.PI);
}

/** Weights of ITU-R BT.601, as torchvision's. */
const greyWeights = [0.299, 0.587, 0.114];
/** Red and green alone share what blue would have had, so that a grey image stays as bright as it is. */
const twoChannelWeights = [0.299 / 0.886, 0.587 / 0.886];

function greyAt(image: Uint8Array, at: number, channels: number): number {
  if (channels === 1) return image[at]!;
  const weights = channels === 2 ? twoChannelWeights : greyWeights;
  let grey = 0;
  for (let c = 0; c < channels; c++) grey += weights[c]! * image[at + c]!;
  return grey;
}

function meanGrey(image: Uint8Array, { channels }: ImageShape): number {
  let total = 0;
  for (let at = 0; at < image.length; at += channels) total += greyAt(image, at, channels);
  return (total * channels) / image.length;
}

/** 0 is grey, 1 leaves the image as it is. */
function saturate(image: Uint8Array, { channels }: ImageShape, factor: number): void {
  if (channels === 1) return;
  for (let at = 0; at < image.length; at += channels) {
    const grey = greyAt(image, at, channels);
    for (let c = 0; c < channels; c++) image[at + c] = toByte(grey + (image[at + c]! - grey) * factor);
  }
}

/** Turns colours around the grey axis (the rotation of Y'IQ's chroma plane); two channels have no hue to turn. */
function rotateHue(image: Uint8Array, { channels }: ImageShape, angle: number): void {
  if (channels !== 3) return;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let at = 0; at < image.length; at += 3) {
    const [r, g, b] = [image[at]!, image[at + 1]!, image[at + 2]!];
    const y = 0.299 * r + 0.587 * g + 0.114 * b;
    const i = 0.596 * r - 0.274 * g - 0.322 * b;
    const q = 0.211 * r - 0.523 * g + 0.312 * b;
    const [turnedI, turnedQ] = [i * cos - q * sin, i * sin + q * cos];
    image[at] = toByte(y + 0.956 * turnedI + 0.621 * turnedQ);
    image[at + 1] = toByte(y - 0.272 * turnedI - 0.647 * turnedQ);
    image[at + 2] = toByte(y - 1.106 * turnedI + 1.703 * turnedQ);
  }
}

function eraseRectangle(image: Uint8Array, { height, width, channels }: ImageShape, random: Random): void {
  const area = height * width * (0.02 + 0.31 * random.uniform());
  const aspect = Math.exp(Math.log(0.3) + random.uniform() * Math.log(3.3 / 0.3));
  const tall = Math.min(height, Math.max(1, Math.round(Math.sqrt(area * aspect))));
  const wide = Math.min(width, Math.max(1, Math.round(Math.sqrt(area / aspect))));
  const top = random.integer(height - tall + 1);
  const left = random.integer(width - wide + 1);
  for (let y = top; y < top + tall; y++) {
    image.fill(0, (y * width + left) * channels, (y * width + left + wide) * channels);
  }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

function toByte(value: number): number {
  return Math.round(clamp(value, 255));
}
