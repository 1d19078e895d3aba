/** iWildCam-WILDS: photographs of camera traps, some of which are kept for validation and test. */

import type { WildsLayout } from "./layout.ts";

export const iWildCam: WildsLayout = {
  title: "iWildCam",
  table: "metadata.csv",
  columns: ["split", "location_remapped", "sequence_remapped", "y", "filename"],
  attributes: ["location"],
  environment: "location",
  shiftedSplits: ["val", "test"],
  groups: ["location"],
  open: () => (cell) => ({
    // All images lie in one folder of this name, whatever their split.
    image: `train/${cell("filename")}`,
    label: cell("y"),
    split: cell("split"),
    values: [cell("location_remapped")],
  }),
};
