/** Changes of colours, pixel by pixel, in place. */

import type { Pixels } from "../core/dataset.ts";

/** Weights of ITU-R BT.601, as torchvision's. */
const greyWeights = [0.299, 0.587, 0.114];
/** Red and green alone share what blue would have had, so that a grey image stays as bright as it is. */
const twoChannelWeights = [0.299 / 0.886, 0.587 / 0.886];

function greyAt(data: Uint8Array, at: number, channels: number): number {
  if (channels === 1) return data[at]!;
  const weights = channels === 2 ? twoChannelWeights : greyWeights;
  let grey = 0;
  for (let c = 0; c < channels; c++) grey += weights[c]! * data[at + c]!;
  return grey;
}

function meanGrey({ data, channels }: Pixels): number {
  let total = 0;
  for (let at = 0; at < data.length; at += channels) total += greyAt(data, at, channels);
  return (total * channels) / data.length;
}

export function brighten({ data }: Pixels, factor: number): void {
  for (let i = 0; i < data.length; i++) data[i] = toByte(data[i]! * factor);
}

/** Around the image's own mean grey. */
export function contrast(image: Pixels, factor: number): void {
  const { data } = image;
  const mean = meanGrey(image);
  for (let i = 0; i < data.length; i++) data[i] = toByte(mean + (data[i]! - mean) * factor);
}

/** 0 is grey, 1 leaves the image as it is. */
export function saturate({ data, channels }: Pixels, factor: number): void {
  if (channels === 1) return;
  for (let at = 0; at < data.length; at += channels) {
    const grey = greyAt(data, at, channels);
    for (let c = 0; c < channels; c++) data[at + c] = toByte(grey + (data[at + c]! - grey) * factor);
  }
}

/** Turns colours around the grey axis (the rotation of Y'IQ's chroma plane); two channels have no hue to turn. */
export function rotateHue({ data, channels }: Pixels, angle: number): void {
  if (channels !== 3) return;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let at = 0; at < data.length; at += 3) {
    const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
    const y = 0.299 * r + 0.587 * g + 0.114 * b;
    const i = 0.596 * r - 0.274 * g - 0.322 * b;
    const q = 0.211 * r - 0.523 * g + 0.312 * b;
    const [turnedI, turnedQ] = [i * cos - q * sin, i * sin + q * cos];
    data[at] = toByte(y + 0.956 * turnedI + 0.621 * turnedQ);
    data[at + 1] = toByte(y - 0.272 * turnedI - 0.647 * turnedQ);
    data[at + 2] = toByte(y - 1.106 * turnedI + 1.703 * turnedQ);
  }
}

function toByte(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 255));
}
