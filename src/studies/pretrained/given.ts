/** What people bring to the studies of ready-made networks. */

import type { StudyGiven } from "../study.ts";

const paper = ["paper"] as const;

export const models: StudyGiven = {
  what: "networks to ask, by commas: ONNX files, or folders of runs",
  presets: paper,
  required: true,
};

export const imagenet: StudyGiven = {
  what: "ImageNet's validation images in folders of classes, named by their ids (n01440764, …)",
  presets: paper,
  required: true,
};

/** A folder that opens a part; without it the part is left out, and the report says so. */
export function folder(what: string): StudyGiven {
  return { what, presets: paper };
}

export function listed(models: string | undefined): string[] {
  return (models ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
