/** Which of a graph's outputs is a row of numbers an image, and the one that is meant. */

import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { StoredGraph } from "../../engine/onnx/decode-model.ts";
import { elementTypeOf } from "../../engine/onnx/decode-tensor.ts";
import { mapInsteadOfRow } from "../../engine/onnx-model.ts";

/** Names that classifiers' outputs have, the likeliest first. */
const classNames = ["logits", "output", "probabilities", "probs", "scores"];

type Output = StoredGraph["outputs"][number];

/** Names that outputs of a two-tower model have, likewise. */
export const embeddingNames = {
  image: ["image_embeds", "image_embeddings", "image_features", "pooler_output", "embeddings", "output"],
  text: [
    "text_embeds",
    "text_embeddings",
    "text_features",
    "pooler_output",
    "sentence_embedding",
    "embeddings",
    "output",
  ],
};

/** Whether an output is named as only embeddings are. */
export function isEmbedding(name: string): boolean {
  return embeddingNames.image.slice(0, 3).includes(name);
}

/** The one that is named, or the only one, or the only row of floats, or the one with the usual name; else an error. */
export function chooseOutput(
  { outputs }: Pick<StoredGraph, "outputs">,
  wanted: string | undefined,
  where: string,
  usualNames: readonly string[] = classNames,
): string {
  const names = outputs.map(({ name }) => name);
  if (wanted !== undefined) {
    const named = outputs.find(({ name }) => name === wanted);
    if (named !== undefined) return rowOf(named, where);
    throw new CuelabError({
      kind: "usage",
      what: `the network has no output "${wanted}"`,
      where,
      expected: `one of: ${names.join(", ")}`,
      ...didYouMean(wanted, names),
    });
  }
  const rows = outputs.filter(isRow);
  const usual = usualNames.find((name) => rows.some((output) => output.name === name));
  const alone = outputs.length === 1 ? outputs[0]!.name : rows.length === 1 ? rows[0]!.name : undefined;
  const chosen = usualNames === classNames ? (alone ?? usual) : (usual ?? alone);
  if (chosen !== undefined) return rowOf(outputs.find(({ name }) => name === chosen)!, where);
  const maps = outputs.find(({ type }) => type === 0);
  if (maps !== undefined) throw noTensor(maps.name, where);
  throw new CuelabError({
    kind: "usage",
    what: `the network has several outputs, and none is named as those of ${usualNames === classNames ? "classes" : "embeddings"} are`,
    where,
    got: outputs.map(({ name, shape }) => `${name} [${shape?.join(", ") ?? "?"}]`).join("; "),
    todo:
      usualNames === classNames
        ? "name the one with a number for each class with --output"
        : `one is to be named: ${usualNames.join(", ")}; of images --output names it`,
  });
}

/** Its name, once it can be a row of floats. */
function rowOf({ name, type, shape }: Output, where: string): string {
  if (type === 0) throw noTensor(name, where);
  const element = elementTypeOf(type);
  if (element !== undefined && element.dtype !== "float")
    throw new CuelabError({
      kind: "input",
      what: `output "${name}" is whole numbers, such as labels`,
      where,
      expected: "floats: a logit or a probability for each class",
      got: element.name,
      todo: "name another output with --output, or export the network with its probabilities",
    });
  if ((shape ?? []).slice(1).filter((length) => typeof length === "number" && length > 1).length > 1)
    throw mapInsteadOfRow(name, shape!, where);
  return name;
}

/** As classifiers of scikit-learn and LightGBM are exported, unless they are told otherwise. */
function noTensor(name: string, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `output "${name}" is no tensor: a list of maps from classes to probabilities, probably`,
    where,
    expected: "a tensor of floats [batch, classes]",
    todo: 'export it with options={"zipmap": False}',
  });
}

function isRow({ type, shape }: Output): boolean {
  return (
    elementTypeOf(type)?.dtype === "float" &&
    (shape === undefined || shape.slice(2).every((length) => length === 1))
  );
}

/** How many numbers an image has in it; undefined where the file does not say. */
export function widthOf({ outputs }: Pick<StoredGraph, "outputs">, name: string): number | undefined {
  const { shape } = outputs.find((output) => output.name === name)!;
  if (shape === undefined || shape.length < 2) return undefined;
  const lengths = shape.slice(1).filter((length) => typeof length === "number");
  return lengths.length === shape.length - 1 ? lengths.reduce((all, length) => all * length, 1) : undefined;
}
