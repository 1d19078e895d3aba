/** Brightness and contrast (Hendrycks & Dietterich 2019). */

import type { Pixels } from "../../core/dataset.ts";
import { type Severity, severityOf } from "./severity.ts";

/** Added to the largest channel, where white is 1. */
const lifts = [0.1, 0.2, 0.3, 0.4, 0.5];
/** What is left of the distance from a channel's mean. */
const shares = [0.4, 0.3, 0.2, 0.1, 0.05];

/** In HSV: the largest channel rises, hue and saturation stay. */
export function brightness(image: Pixels, severity: Severity): Pixels {
  const lift = 255 * severityOf(lifts, severity);
  const { channels } = image;
  const data = new Uint8Array(image.data.length);
  for (let at = 0; at < data.length; at += channels) {
    let most = 0;
    for (let c = 0; c < channels; c++) most = Math.max(most, image.data[at + c]!);
    const raised = Math.min(255, most + lift);
    // Black has neither hue nor saturation, and becomes grey.
    for (let c = 0; c < channels; c++)
      data[at + c] = Math.trunc(most === 0 ? raised : (image.data[at + c]! * raised) / most);
  }
  return { ...image, data };
}

/** Towards the mean of each channel. */
export function contrastLoss(image: Pixels, severity: Severity): Pixels {
  const share = severityOf(shares, severity);
  const { channels } = image;
  const means = new Float64Array(channels);
  for (let at = 0; at < image.data.length; at++) means[at % channels]! += image.data[at]!;
  for (let c = 0; c < channels; c++) means[c]! /= image.data.length / channels;
  const data = image.data.map((value, at) => {
    const mean = means[at % channels]!;
    return Math.trunc((value - mean) * share + mean);
  });
  return { ...image, data };
}
