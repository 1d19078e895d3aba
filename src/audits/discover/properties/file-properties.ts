/** Properties of files: how they were taken, changed and stored, whatever they show. */

import type { FileFacts } from "../files/file-facts.ts";
import type { Property } from "./property.ts";

const yes = (value: boolean | undefined) => (value === undefined ? undefined : value ? "yes" : "no");

/** Of the numbers 1 to 8. */
const orientationWords = [
  "upright",
  "mirrored",
  "half a turn",
  "mirrored and half a turn",
  "mirrored and a quarter turn left",
  "a quarter turn right",
  "mirrored and a quarter turn right",
  "a quarter turn left",
];

export const fileProperties: readonly Property<FileFacts>[] = [
  {
    name: "format",
    description: "kind of file, by its content",
    kind: "name",
    measure: ({ format }) => format,
  },
  {
    name: "bytes",
    description: "size of the file",
    kind: "number",
    measure: ({ bytes }) => bytes,
  },
  {
    name: "bytes per pixel",
    description: "size of the file for its pixels: low where it is compressed more, or shows less",
    kind: "number",
    measure: ({ bytes, width, height }) => bytes / (width * height),
  },
  {
    name: "width",
    description: "in pixels, as it is seen",
    kind: "number",
    measure: ({ width, height, orientation }) => (orientation > 4 ? height : width),
  },
  {
    name: "height",
    description: "in pixels, as it is seen",
    kind: "number",
    measure: ({ width, height, orientation }) => (orientation > 4 ? width : height),
  },
  {
    name: "aspect",
    description: "width over height, as it is seen",
    kind: "number",
    measure: ({ width, height, orientation }) => (orientation > 4 ? height / width : width / height),
  },
  {
    name: "EXIF orientation",
    description: "how the picture is to be turned before it is seen",
    kind: "name",
    measure: ({ orientation }) => orientationWords[orientation - 1],
  },
  {
    name: "JPEG quality",
    description: "1 to 100, by the quantisation tables",
    kind: "number",
    measure: ({ jpeg }) => jpeg?.quality,
  },
  {
    name: "JPEG tables",
    description: "quantisation tables: the usual ones, or a camera's or program's own",
    kind: "name",
    measure: ({ jpeg }) => jpeg?.tables,
  },
  {
    name: "chroma subsampling",
    description: "how much coarser colour is stored than brightness",
    kind: "name",
    measure: ({ chroma }) => chroma,
  },
  {
    name: "progressive",
    description: "stored from coarse to fine, as many programs for the web do",
    kind: "name",
    measure: ({ progressive }) => yes(progressive),
  },
  {
    name: "colour space",
    description: "how the file stores colour: srgb, b-w, cmyk, …",
    kind: "name",
    measure: ({ colourSpace }) => colourSpace,
  },
  {
    name: "sample depth",
    description: "kind of number that a sample is stored as",
    kind: "name",
    measure: ({ depth }) => depth,
  },
  {
    name: "palette",
    description: "colours by a table, as GIF and small PNG files have them",
    kind: "name",
    measure: ({ palette }) => yes(palette),
  },
  {
    name: "transparency",
    description: "has an alpha channel",
    kind: "name",
    measure: ({ transparent }) => yes(transparent),
  },
  {
    name: "colour profile",
    description: "has an ICC profile",
    kind: "name",
    measure: ({ profile }) => yes(profile),
  },
  {
    name: "density",
    description: "dots an inch, as the file says",
    kind: "number",
    measure: ({ density }) => density,
  },
  {
    name: "EXIF",
    description: "has metadata of a camera or program",
    kind: "name",
    measure: ({ exif }) => yes(exif !== undefined),
  },
  {
    name: "camera",
    description: "maker and model, from EXIF",
    kind: "name",
    measure: ({ exif }) => exif?.camera,
  },
  {
    name: "lens",
    description: "from EXIF",
    kind: "name",
    measure: ({ exif }) => exif?.lens,
  },
  {
    name: "software",
    description: "program that wrote the file, from EXIF",
    kind: "name",
    measure: ({ exif }) => exif?.software,
  },
  {
    name: "year",
    description: "when it was taken, from EXIF",
    kind: "number",
    measure: ({ exif }) => exif?.taken?.year,
  },
  {
    name: "month",
    description: "when it was taken, 1 to 12, from EXIF",
    kind: "number",
    circle: 12,
    measure: ({ exif }) => exif?.taken?.month,
  },
  {
    name: "day",
    description: "the very day on which it was taken, from EXIF",
    kind: "name",
    measure: ({ exif }) => dayOf(exif?.taken),
  },
  {
    name: "hour",
    description: "of the day, 0 to 23, by the camera's clock",
    kind: "number",
    circle: 24,
    measure: ({ exif }) => exif?.taken?.hour,
  },
  {
    name: "sensitivity",
    description: "ISO speed, from EXIF",
    kind: "number",
    measure: ({ exif }) => exif?.sensitivity,
  },
  {
    name: "exposure",
    description: "seconds, from EXIF",
    kind: "number",
    measure: ({ exif }) => exif?.exposure,
  },
  {
    name: "focal length",
    description: "millimetres, from EXIF",
    kind: "number",
    measure: ({ exif }) => exif?.focalLength,
  },
  {
    name: "flash",
    description: "whether it fired, from EXIF",
    kind: "name",
    measure: ({ exif }) => yes(exif?.flash),
  },
  {
    name: "place known",
    description: "EXIF says where on earth it was taken",
    kind: "name",
    measure: ({ exif }) => yes(exif?.located),
  },
];

/** 2024-05-06. */
function dayOf(time: { year: number; month: number; day: number } | undefined): string | undefined {
  if (time === undefined) return undefined;
  const two = (n: number) => String(n).padStart(2, "0");
  return `${time.year}-${two(time.month)}-${two(time.day)}`;
}
