/** What belongs to the town and what to the country, after Li et al. 2023, Appendix A.1. */

import { countryScenes, type ObjectName, type SceneName, urbanScenes } from "../../sources/drawn/index.ts";

/** In the order of their codes: urban 0, country 1. */
export const worlds = ["urban", "country"] as const;

/** The three things that each image shows, each from one of the two worlds. */
export type PartName = "car" | "background" | "thing";

/** Kinds that can be drawn, by world. */
export const drawnKinds = {
  car: [
    ["sedan", "hatchback", "coupe"],
    ["pickup", "van", "suv", "truck"],
  ],
  background: [urbanScenes, countryScenes],
  thing: [
    ["fireplug", "stop-sign", "street-sign", "parking-meter", "traffic-light"],
    ["cow", "horse", "sheep"],
  ],
} as const satisfies {
  car: readonly (readonly ObjectName[])[];
  background: readonly (readonly SceneName[])[];
  thing: readonly (readonly ObjectName[])[];
};
