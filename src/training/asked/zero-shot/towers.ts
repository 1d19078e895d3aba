/** A model of images and texts as a classifier whose classes are words: two towers, one file with both, or texts' embeddings in a file. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { CuelabError } from "../../../core/errors.ts";
import { digestOf, fileDigest } from "../../../disk/vouched.ts";
import { describeOnnxFile } from "../../../models/onnx/describe-file.ts";
import { readOnnxNetwork } from "../../../models/onnx/network.ts";
import type { AskedModel } from "../asked-model.ts";
import { chooseOutput, embeddingNames } from "../choose-output.ts";
import { type OnnxRows, type OnnxWords, openRows } from "../onnx-file.ts";
import { foldersOf } from "../preparation-words.ts";
import { besideImages, besideTexts, isBoth } from "./both-in-one.ts";
import { type FoundScale, findScale } from "./logit-scale.ts";
import { readPrompts, usualTemplate } from "./prompts.ts";
import { cosineLogits, otherWidth, withTextClasses } from "./scored-network.ts";
import {
  inUnitLength,
  keepEmbeddings,
  keptEmbeddings,
  readTextEmbeddings,
  type TextEmbeddings,
} from "./text-embeddings.ts";
import { embedTexts } from "./text-tower.ts";
import { readTokenizer, type TextTokenizer } from "./tokenizer-file.ts";

export interface TextWords {
  /** A template with {}, or a file of them, or of each class's own texts. */
  prompts?: string | undefined;
  /** The ONNX file that makes embeddings of texts; by default `text_model.onnx` beside. */
  textTower?: string | undefined;
  /** `tokenizer.json`; by default beside. */
  tokenizer?: string | undefined;
  /** A file with an embedding a class; with a text tower, where its embeddings are kept. */
  textEmbeddings?: string | undefined;
  /** What cosines are multiplied by. */
  logitScale?: number | undefined;
}

export interface TextHooks {
  threads?: number | undefined;
  onTexts?: ((done: number, total: number) => void) | undefined;
}

export function isZeroShot({ prompts, textTower, tokenizer, textEmbeddings }: TextWords): boolean {
  return [prompts, textTower, tokenizer, textEmbeddings].some((word) => word !== undefined);
}

export async function modelOfTowers(
  path: string,
  { prompts, textTower, tokenizer, textEmbeddings, logitScale, ...words }: OnnxWords & TextWords,
  hooks: TextHooks,
): Promise<AskedModel> {
  if (textEmbeddings !== undefined && [prompts, textTower, tokenizer].every((word) => word === undefined)) {
    const images = await imageRows(path, words, undefined);
    const given = await readTextEmbeddings(textEmbeddings);
    const stated = logitScale ?? given.scale;
    const scale = await findScale(
      path,
      stated,
      logitScale === undefined ? basename(textEmbeddings) : "options",
    );
    return classifier(path, images, {
      texts: given,
      scale,
      said: [`texts: ${given.classes} embeddings (${textEmbeddings})`],
    });
  }
  const { graph } = (await describeOnnxFile(path)).model;
  const both = isBoth(graph);
  if (both && textTower !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: "the file holds a text tower of its own",
      where: path,
      todo: "leave --text-tower away, or give the image tower alone",
    });
  const tower = both ? path : (textTower ?? towerBeside(path));
  const tokenizerPath = tokenizer ?? tokenizerBeside([path, tower]);
  const read = await readTokenizer(tokenizerPath);
  const images = await imageRows(path, words, both ? read : undefined);
  const asked = await readPrompts(prompts ?? usualTemplate);
  const remarks = [
    `prompts: ${asked.said} (${prompts === undefined ? "assumed" : "options"}), by ${basename(tower)} and ${basename(tokenizerPath)}`,
  ];
  const forClasses = async (names: readonly string[], aliases: readonly (readonly string[])[] = []) => {
    const texts = names.map((name, code) => asked.of(name, aliases[code] ?? []));
    const madeOf = digestOf(JSON.stringify([await fileDigest(tower), read.digest, texts]));
    const kept = textEmbeddings === undefined ? undefined : await keptEmbeddings(textEmbeddings, madeOf);
    const { cut, ...made } = kept
      ? { ...kept, cut: 0 }
      : await embedded(texts, { path, tower, images, read, both, hooks });
    if (kept === undefined && textEmbeddings !== undefined)
      await keepEmbeddings(textEmbeddings, made, names, madeOf);
    const scale = await findScale(
      path,
      logitScale,
      "options",
      both ? { images, tokenizer: read, texts: texts.flat() } : undefined,
    );
    const said = [
      ...remarks,
      ...(cut > 0 ? [`${cut} prompts are longer than the text tower reads, and were cut`] : []),
      ...(textEmbeddings === undefined
        ? []
        : [`text embeddings are ${kept === undefined ? "kept in" : "those of"} ${textEmbeddings}`]),
    ];
    return {
      ...classifier(path, images, { texts: made, scale, said }),
      classNames: [...names],
      classAliases: [...aliases],
    };
  };
  return {
    name: basename(path),
    classNames: undefined,
    takes: { image: images.image },
    preparation: images.preparation,
    digest: images.digest,
    remarks,
    forClasses,
    open: async () => {
      throw new CuelabError({
        kind: "usage",
        what: "nobody says which classes the prompts are about",
        where: path,
        todo: "name them with --classes, a file with one a line; of labelled data its own classes are taken",
      });
    },
  };
}

async function imageRows(
  path: string,
  words: OnnxWords,
  tokenizer: TextTokenizer | undefined,
): Promise<OnnxRows> {
  const beside = tokenizer && (await besideImages(path, tokenizer));
  return openRows(path, words, { usualNames: embeddingNames.image, ...(beside && { beside }) });
}

function classifier(
  path: string,
  images: OnnxRows,
  { texts, scale, said }: { texts: TextEmbeddings; scale: FoundScale; said: readonly string[] },
): AskedModel {
  const name = basename(path);
  if (images.width !== texts.width) throw otherWidth(images.width, texts.width, path);
  const { rows, classes } = texts;
  const own = digestOf(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  return {
    name,
    classNames: texts.names,
    classes,
    takes: { image: images.image },
    preparation: images.preparation,
    digest: `${images.digest}+${digestOf(JSON.stringify([images.output, own, scale.scale, scale.bias]))}`,
    remarks: [...said, `scale: ${scale.said}`],
    async open({ threads } = {}) {
      const session = await images.open({ numbers: "logits", alone: false }, threads);
      return {
        logits: async (given, count) =>
          cosineLogits(await session.logits(given, count), count, texts, scale, path),
        close: () => session.close(),
      };
    },
    network: () =>
      readOnnxNetwork(path, (model) =>
        withTextClasses(model, { image: images.input.name, output: images.output }, texts, scale),
      ),
  };
}

interface Embedding {
  path: string;
  tower: string;
  images: OnnxRows;
  read: TextTokenizer;
  both: boolean;
  hooks: TextHooks;
}

/** Of each class the mean of its texts' unit vectors, in unit length again: as CLIP's authors join prompts. */
async function embedded(
  texts: readonly (readonly string[])[],
  { path, tower, images, read, both, hooks: { threads = 1, onTexts = () => {} } }: Embedding,
): Promise<TextEmbeddings & { cut: number }> {
  const { graph } = both ? images.model : (await describeOnnxFile(tower)).model;
  const output = chooseOutput(graph, undefined, tower, embeddingNames.text);
  const beside = both ? besideTexts(images) : () => ({});
  const run = { path: tower, graph, tokenizer: read, beside, output, threads, onProgress: onTexts };
  const { rows: given, width, cut } = await embedTexts(texts.flat(), run);
  if (width !== images.width) throw otherWidth(images.width, width, path);
  const units = inUnitLength(given, width, tower);
  const means = new Float32Array(texts.length * width);
  let text = 0;
  for (const [code, own] of texts.entries())
    for (const _ of own) {
      for (let k = 0; k < width; k++) means[code * width + k]! += units[text * width + k]! / own.length;
      text++;
    }
  return { rows: inUnitLength(means, width, tower), classes: texts.length, width, cut };
}

/** `vision_model_fp16.onnx` goes with `text_model_fp16.onnx`. */
function towerBeside(path: string): string {
  const name = basename(path);
  const names = [
    ...new Set([
      name.replace(/vision|visual|image/i, "text"),
      name.replace(/vision|visual|image/i, "textual"),
      "text_model.onnx",
    ]),
  ].filter((each) => each !== name);
  const found = names.map((each) => join(path, "..", each)).find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "usage",
    what: "prompts need a text tower, and none lies beside the image tower",
    where: path,
    expected: `one of: ${names.join(", ")}`,
    todo: "name it with --text-tower, or give --text-embeddings",
  });
}

function tokenizerBeside(paths: readonly string[]): string {
  const places = [...new Set(paths.flatMap(foldersOf))].map((folder) => join(folder, "tokenizer.json"));
  const found = places.find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "usage",
    what: "prompts need the text tower's tokenizer",
    where: paths[0]!,
    expected: `tokenizer.json beside it, or in the folder above "onnx"`,
    todo: "name it with --tokenizer; tokenizer.save_pretrained(folder) writes it",
  });
}
