/** `dataset.json`: what a dataset is, how it was made and what it must hash to. Written last, so its presence means done. */

import { join } from "node:path";
import { z } from "zod";
import { requireInside } from "../core/confined.ts";
import { CuelabError } from "../core/errors.ts";
import { requireShortNames } from "../core/short-names.ts";
import { forbidden } from "../disk/forbidden.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { sealFits } from "../disk/vouched.ts";

export const manifestName = "dataset.json";

/** A name that leads nowhere else. */
const fileName = z.string().regex(/^\w[\w-]*$/);

const manifestSchema = z.object({
  cuelabDataset: z.literal(1),
  cuelabVersion: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  license: z.string(),
  citation: z.string().optional(),
  format: z.string(),
  encoding: z.enum(["png", "jpeg", "raw", "keep"]),
  count: z.number().int().min(0),
  splits: z.record(z.string(), z.number().int().min(0)),
  image: z
    .object({ height: z.number().int(), width: z.number().int(), channels: z.number().int() })
    .nullable(),
  classNames: z.array(z.string()),
  attributes: z.array(
    z
      .object({
        name: z.string(),
        role: z.enum(["cue", "core", "other"]),
        valueNames: z.array(z.string()),
        description: z.string().optional(),
        classValues: z.array(z.number().int().min(0)).optional(),
      })
      .refine(({ classValues = [], valueNames }) => classValues.every((value) => value < valueNames.length), {
        message: "names a value that is not among valueNames",
        path: ["classValues"],
      }),
  ),
  statisticsBy: z.string().optional(),
  shiftedSplits: z.array(z.string()).optional(),
  generator: z.object({ name: z.string(), version: z.number() }),
  settings: z.record(z.string(), z.unknown()),
  seed: z.number(),
  sources: z.array(
    z.object({
      name: z.string(),
      license: z.string(),
      sha256: z.record(z.string(), z.string()),
      filteredOut: z.record(z.string(), z.number()).optional(),
    }),
  ),
  skipped: z.array(z.object({ image: z.string(), reason: z.string() })),
  sideImages: z
    .array(
      z.object({
        name: fileName,
        height: z.number().int(),
        width: z.number().int(),
        channels: z.number().int(),
        description: z.string(),
        sha256: z.string(),
      }),
    )
    .optional(),
  boxes: z
    .object({
      things: z.array(z.object({ name: fileName, description: z.string() })),
      bytes: z.number(),
      sha256: z.string(),
    })
    .optional(),
  hash: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type WrittenFile = Manifest["files"][number];

/** The manifest in a folder, or undefined where there is none. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestName);
  let text: string;
  try {
    text = await readPlainText(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw forbidden(cause, path);
  }
  const damaged = (got: string, cause?: unknown) =>
    new CuelabError({ kind: "input", what: "the dataset's description is damaged", where: path, got, cause });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw damaged((cause as Error).message, cause);
  }
  if (!sealFits(json))
    throw damaged("other content than was sealed; who changes it on purpose takes its seal out");
  const result = manifestSchema.safeParse(json);
  if (result.success) {
    const { data } = result;
    for (const file of data.files) requireInside(file.path, `${path}, files`);
    // Pictures that go with images lie in folders of these names.
    for (const split of Object.keys(data.splits)) requireInside(split, `${path}, splits`);
    const named = data.attributes.flatMap(({ name, valueNames }) => [name, ...valueNames]);
    requireShortNames([...data.classNames, ...named], path);
    return data;
  }
  const issue = result.error.issues[0]!;
  throw damaged(`${issue.path.join(".") || "the whole file"}: ${issue.message}`);
}
