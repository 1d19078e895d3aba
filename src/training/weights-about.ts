/** What our own files of weights say of themselves, under the key `cuelab` of their metadata. */

import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { models } from "../models/index.ts";
import { resolveOptions } from "../models/model.ts";
import { tellPixels } from "../models/pixels.ts";

const optionsSchema = z.record(z.string(), z.union([z.number(), z.string()]));
const side = z.int().min(1);

const networkSchema = z
  .object({
    model: z.string(),
    options: optionsSchema,
    classNames: z.array(z.string()).min(1),
    image: z.object({ height: side, width: side, channels: side }),
    pixels: z.object({
      /** Files of older versions say neither this nor the layout. */
      scale: z.number().positive().optional(),
      mean: z.array(z.number()).readonly(),
      deviation: z.array(z.number().positive()).readonly(),
    }),
  })
  // What becomes of pixels is the network's to decide; older files told statistics that some networks never used.
  .transform((about, context) => {
    const { mean, deviation, scale } = about.pixels;
    try {
      const model = models.get(about.model);
      resolveOptions(model, about.options);
      const { channels } = about.image;
      if (mean.length !== channels || deviation.length !== channels)
        context.addIssue({ code: "custom", path: ["pixels"], message: `not of ${channels} channels` });
      else {
        const pixels = tellPixels(model.pixels, channels, about.pixels);
        if (scale === undefined || isDeepStrictEqual({ ...about.pixels, layout: pixels.layout }, pixels))
          return { ...about, pixels };
        context.addIssue({ code: "custom", path: ["pixels"], message: `not those of ${model.name}` });
      }
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      context.addIssue({ code: "custom", message: cause.parts.what });
    }
    return z.NEVER;
  });

const layerSchema = z.object({
  /** The network whose features it takes, and the name of its head. */
  lastLayerOf: z.object({
    model: z.string(),
    options: optionsSchema,
    head: z.string(),
    /** SHA-256 of its weights; null for random ones. */
    weights: z.string().nullable(),
  }),
  features: z.int().min(1),
  classNames: z.array(z.string()).min(1),
});

/** Of a whole network. */
export type NetworkAbout = z.output<typeof networkSchema>;
/** Of a last layer alone, as `features train` makes it. */
export type LayerAbout = z.output<typeof layerSchema>;

/** Undefined for files of others. */
export function aboutOf(
  { cuelab }: Readonly<Record<string, string>>,
  where: string,
): NetworkAbout | LayerAbout | undefined {
  if (cuelab === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(cuelab);
  } catch (cause) {
    throw damaged(where, (cause as Error).message, cause);
  }
  const isLayer = typeof json === "object" && json !== null && "lastLayerOf" in json;
  const result = (isLayer ? layerSchema : networkSchema).safeParse(json);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw damaged(where, path.length === 0 ? message : `${path.join(".")}: ${message}`);
}

export function isLastLayer(about: NetworkAbout | LayerAbout): about is LayerAbout {
  return "lastLayerOf" in about;
}

/** Refuses a last layer alone, where a whole network is wanted. */
export function networkAboutOf(
  metadata: Readonly<Record<string, string>>,
  where: string,
): NetworkAbout | undefined {
  const about = aboutOf(metadata, where);
  if (about === undefined || !isLastLayer(about)) return about;
  const { model, head } = about.lastLayerOf;
  throw new CuelabError({
    kind: "input",
    what: "these are the weights of a last layer alone",
    where,
    expected: "weights of a whole network",
    got: layerInWords(about),
    todo: `give those of ${model} that the features were extracted with; in PyTorch this file's tensors are ${head}.weight and ${head}.bias as they are`,
  });
}

export function layerInWords({ lastLayerOf: { model }, features, classNames }: LayerAbout): string {
  return `a last layer over ${features} features of ${model}, classes ${classNames.join(", ")}`;
}

function damaged(where: string, got: string, cause?: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "what these weights say of themselves is damaged",
    where: `${where}, metadata "cuelab"`,
    expected: "the network, its options, classes, images and pixels, as this version of Cuelab writes them",
    got,
    todo: "take the file as it was written, or remove that key from its metadata: the tensors are then taken as those of others",
    cause,
  });
}
