/** What files of others say of how pictures are made ready: transformers' `preprocessor_config.json`, timm's `config.json`. */

import { z } from "zod";
import { CuelabError } from "../../core/errors.ts";
import type { PictureSteps } from "../../images/model-picture.ts";
import type { InputPixels } from "./preparation.ts";

/** What one source says; what it leaves open another one may. */
export interface StatedPreparation {
  picture?: PictureSteps;
  pixels?: Omit<InputPixels, "order">;
  order?: InputPixels["order"];
  /** Rows and columns that the network is for. */
  side?: { height: number; width: number };
}

const numbers = z.array(z.number());
const sides = z.union([
  z.number(),
  z.object({ height: z.number(), width: z.number() }),
  z.object({ shortest_edge: z.number() }),
]);

const transformersSchema = z.looseObject({
  image_processor_type: z.string().optional(),
  feature_extractor_type: z.string().optional(),
  do_resize: z.boolean().default(true),
  size: sides.optional(),
  resample: z.number().default(2),
  do_center_crop: z.boolean().optional(),
  crop_size: z.union([z.number(), z.object({ height: z.number(), width: z.number() })]).optional(),
  crop_pct: z.number().optional(),
  do_rescale: z.boolean().default(true),
  rescale_factor: z.number().default(1 / 255),
  rescale_offset: z.boolean().default(false),
  do_normalize: z.boolean().default(true),
  image_mean: numbers.optional(),
  image_std: numbers.optional(),
  do_flip_channel_order: z.boolean().default(false),
});

const timmSchema = z.looseObject({
  input_size: z.tuple([z.number(), z.number(), z.number()]),
  mean: numbers,
  std: numbers,
  interpolation: z.string().default("bicubic"),
  crop_pct: z.number().nullish(),
  crop_mode: z.string().nullish(),
});

/** As Pillow numbers its filters. */
const filtersByNumber: Readonly<Record<number, PictureSteps["filter"]>> = {
  1: "lanczos",
  2: "triangle",
  3: "bicubic",
};

export const filtersByName: Readonly<Record<string, PictureSteps["filter"]>> = {
  bilinear: "triangle",
  bicubic: "bicubic",
  lanczos: "lanczos",
  // timm's word for networks that were trained with several.
  random: "triangle",
};

export const filterNames = ["bilinear", "bicubic", "lanczos"] as const;

/** Undefined where the file is about something else. */
export function statedIn(json: unknown, where: string): StatedPreparation | undefined {
  if (json === null || typeof json !== "object") return undefined;
  const timm = "pretrained_cfg" in json ? json.pretrained_cfg : "input_size" in json ? json : undefined;
  if (timm !== undefined) return ofTimm(checked(timmSchema, timm, where), where);
  if ("image_mean" in json || "image_processor_type" in json || "feature_extractor_type" in json)
    return ofTransformers(checked(transformersSchema, json, where), where);
  return undefined;
}

function ofTimm(config: z.output<typeof timmSchema>, where: string): StatedPreparation {
  const [, height, width] = config.input_size;
  const { mean, std: deviation, interpolation, crop_pct: share, crop_mode: mode } = config;
  const filter = filtersByName[interpolation] ?? refuse(where, `interpolation "${interpolation}"`);
  const [rows, columns] = [height, width].map((side) => Math.floor(side / (share ?? 0.875))) as [
    number,
    number,
  ];
  const isSquashed = mode === "squash";
  if (!isSquashed && (height !== width || (mode ?? "center") !== "center"))
    refuse(
      where,
      height === width ? `crop_mode "${mode}"` : `pictures of ${height} × ${width}, which are no squares`,
    );
  const resize = isSquashed ? { height: rows, width: columns } : { shorter: rows };
  return {
    picture: { resize, filter, crop: { height, width }, middle: "even" },
    pixels: { factor: 1 / 255, mean, deviation },
    side: { height, width },
  };
}

function ofTransformers(config: z.output<typeof transformersSchema>, where: string): StatedPreparation {
  const kind = config.image_processor_type ?? config.feature_extractor_type ?? "";
  if (config.rescale_offset) refuse(where, "rescale_offset, which shifts pixels once more");
  if (/^(Perceiver|Pix2Struct|Nougat|Donut)/.test(kind)) refuse(where, `${kind}, which has a way of its own`);
  const filter = filtersByNumber[config.resample] ?? refuse(where, `resample ${config.resample}`);
  const crops = config.do_center_crop ?? config.crop_size !== undefined;
  const cut = crops ? squareOf(config.crop_size ?? config.size ?? 224) : undefined;
  const resize = config.do_resize ? resizeOf(config, kind, crops) : undefined;
  const crop =
    cut ?? (isConvNext(kind) && resize && "shorter" in resize ? squareOf(edgeOf(config.size)!) : undefined);
  const side = crop ?? (resize && "height" in resize ? resize : undefined);
  const factor = config.do_rescale ? config.rescale_factor : 1;
  const { image_mean: mean, image_std: deviation } = config;
  const plain = { mean: [0, 0, 0], deviation: [1, 1, 1] };
  const isNormal = config.do_normalize && mean !== undefined && deviation !== undefined;
  return {
    picture: { resize, filter, crop, middle: "down" },
    pixels: { factor, ...(isNormal ? { mean, deviation } : plain) },
    order: config.do_flip_channel_order ? "bgr" : "rgb",
    ...(side && { side }),
  };
}

const isConvNext = (kind: string) => /^Conv[Nn]e?[Xx]t/.test(kind);

function edgeOf(size: z.output<typeof sides> | undefined): number | undefined {
  if (typeof size === "number") return size;
  return size !== undefined && "shortest_edge" in size ? size.shortest_edge : undefined;
}

function resizeOf(
  { size = 224, crop_pct: share }: z.output<typeof transformersSchema>,
  kind: string,
  crops: boolean,
): PictureSteps["resize"] {
  const edge = edgeOf(size);
  if (edge === undefined) return size as { height: number; width: number };
  // Below 384 these cut a share out of the middle, and above they stretch.
  if (isConvNext(kind))
    return edge < 384 ? { shorter: Math.floor(edge / (share ?? 224 / 256)) } : squareOf(edge);
  if (kind.startsWith("Levit")) return { shorter: Math.floor((256 / 224) * edge) };
  // A bare number means both sides in old files, unless the middle is cut out afterwards.
  return typeof size === "number" && !crops ? squareOf(edge) : { shorter: edge };
}

function squareOf(size: z.output<typeof sides>): { height: number; width: number } {
  if (typeof size === "object" && "height" in size) return { height: size.height, width: size.width };
  const edge = edgeOf(size)!;
  return { height: edge, width: edge };
}

function checked<Schema extends z.ZodType>(schema: Schema, json: unknown, where: string): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CuelabError({
    kind: "input",
    what: "the file says how pictures are made ready in a way that is not read",
    where,
    got: z.prettifyError(parsed.error),
    todo: "say it with --resize, --crop, --filter, --mean and --deviation, and --preparation none",
  });
}

function refuse(where: string, what: string): never {
  throw new CuelabError({
    kind: "input",
    what: `the file asks for ${what}, and Cuelab does not do that`,
    where,
    todo: "make the pictures ready yourself, and give --preparation none with --mean and --deviation",
  });
}
