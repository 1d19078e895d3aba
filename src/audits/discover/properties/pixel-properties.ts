/** Properties of pixels: what an image looks like at a glance, whatever it shows. */

import { hueNames } from "../looks/colour-look.ts";
import { cellNames } from "../looks/detail-look.ts";
import type { ImageLook } from "../looks/look.ts";
import type { Property } from "./property.ts";

/** The cells with a property of their own: corners, where dates and logos stand, and the middle. */
const cells = [0, 2, 4, 6, 8];

export const pixelProperties: readonly Property<ImageLook>[] = [
  {
    name: "colour mode",
    description: "grey or colour, by the pixels",
    kind: "name",
    measure: ({ colour }) => (colour.grey ? "grey" : "colour"),
  },
  {
    name: "brightness",
    description: "mean of all pixels, 0 black to 1 white",
    kind: "number",
    measure: ({ colour }) => colour.brightness,
  },
  {
    name: "contrast",
    description: "standard deviation of brightness",
    kind: "number",
    measure: ({ colour }) => colour.contrast,
  },
  {
    name: "saturation",
    description: "how strong colours are, 0 grey to 1",
    kind: "number",
    measure: ({ colour }) => colour.saturation,
  },
  {
    name: "hue",
    description: "mean hue in degrees: 0 red, 120 green, 240 blue",
    kind: "number",
    circle: 360,
    measure: ({ colour }) => colour.hue,
  },
  ...hueNames.map(
    (name, i): Property<ImageLook> => ({
      name: `share of ${name}`,
      description: `how much of all colour is ${name}`,
      kind: "number",
      share: true,
      measure: ({ colour }) => (colour.grey ? 0 : colour.hues[i]),
    }),
  ),
  {
    name: "tones",
    description: "entropy of brightness in bits: few in drawings, many in photographs",
    kind: "number",
    measure: ({ colour }) => colour.tones,
  },
  {
    name: "dark pixels",
    description: "share of nearly black pixels",
    kind: "number",
    share: true,
    measure: ({ colour }) => colour.dark,
  },
  {
    name: "light pixels",
    description: "share of nearly white pixels",
    kind: "number",
    share: true,
    measure: ({ colour }) => colour.light,
  },
  {
    name: "sharpness",
    description: "size of the Laplacian for the contrast there is",
    kind: "number",
    measure: ({ detail }) => detail.sharpness,
  },
  {
    name: "noise",
    description: "standard deviation of noise, of 255",
    kind: "number",
    measure: ({ detail }) => detail.noise,
  },
  {
    name: "edges",
    description: "share of pixels on an edge: texture, clutter",
    kind: "number",
    share: true,
    measure: ({ detail }) => detail.edges,
  },
  {
    name: "edge direction",
    description: "share of slopes that go across; half where nothing is preferred",
    kind: "number",
    share: true,
    measure: ({ detail }) => detail.across,
  },
  {
    name: "light strokes",
    description: "share of pixels on thin light lines: text, stamps, watermarks",
    kind: "number",
    share: true,
    measure: ({ detail }) => detail.lightStrokes,
  },
  {
    name: "dark strokes",
    description: "share of pixels on thin dark lines: text, rulers, drawings",
    kind: "number",
    share: true,
    measure: ({ detail }) => detail.darkStrokes,
  },
  ...cells.flatMap((cell): Property<ImageLook>[] => [
    {
      name: `detail ${cellNames[cell]}`,
      description: `how much of all detail is in the ${cellNames[cell]} of nine cells: stamps, logos, dates`,
      kind: "number",
      share: true,
      measure: ({ detail }) => detail.cells[cell],
    },
    {
      name: `brightness ${cellNames[cell]}`,
      description: `brightness of the ${cellNames[cell]} of nine cells less that of the whole`,
      kind: "number",
      measure: ({ detail, colour }) => detail.cellBrightness[cell]! - colour.brightness,
    },
  ]),
  {
    name: "border",
    description: "how much of a side is bars of one colour",
    kind: "number",
    share: true,
    measure: ({ margin }) => margin.border,
  },
  {
    name: "border colour",
    description: "colour of such bars",
    kind: "name",
    measure: ({ margin }) => margin.borderColour,
  },
  {
    name: "frame",
    description: "step in brightness that follows all four sides, of 255",
    kind: "number",
    measure: ({ margin }) => margin.frame,
  },
  {
    name: "background colour",
    description: "colour of the outer ring, in a word",
    kind: "name",
    measure: ({ margin }) => margin.backgroundColour,
  },
  {
    name: "background hue",
    description: "hue of the outer ring in degrees",
    kind: "number",
    circle: 360,
    measure: ({ margin }) => margin.backgroundHue,
  },
  {
    name: "background brightness",
    description: "brightness of the outer ring, 0 to 1",
    kind: "number",
    measure: ({ margin: { background } }) => (background[0] + background[1] + background[2]) / 765,
  },
  {
    name: "background unevenness",
    description: "standard deviation of brightness over the outer ring, of 255",
    kind: "number",
    measure: ({ margin }) => margin.unevenness,
  },
  {
    name: "object x",
    description: "where across the image that is which differs from the background",
    kind: "number",
    measure: ({ place }) => place.x,
  },
  {
    name: "object y",
    description: "where down the image it is",
    kind: "number",
    measure: ({ place }) => place.y,
  },
  {
    name: "object size",
    description: "share of the pixels that differ from the background",
    kind: "number",
    share: true,
    measure: ({ place }) => place.size,
  },
  {
    name: "object spread",
    description: "how far they lie apart: low for one thing, high for many or a pattern",
    kind: "number",
    measure: ({ place }) => place.spread,
  },
  {
    name: "object brightness",
    description: "their brightness, 0 to 1",
    kind: "number",
    measure: ({ place }) => place.brightness,
  },
  {
    name: "object saturation",
    description: "how strong their colour is, 0 to 1",
    kind: "number",
    measure: ({ place }) => place.saturation,
  },
  {
    name: "object hue",
    description: "their hue in degrees",
    kind: "number",
    circle: 360,
    measure: ({ place }) => place.hue,
  },
];
