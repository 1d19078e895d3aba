/** The text tower of a two-tower model, from an ONNX file: rows of numbers for texts. */

import { CuelabError } from "../../../core/errors.ts";
import type { StoredGraph } from "../../../engine/onnx/decode-model.ts";
import { elementTypeOf } from "../../../engine/onnx/decode-tensor.ts";
import { type GivenTensor, OnnxGraph } from "../../../engine/onnx-graph.ts";
import type { TextTokenizer } from "./tokenizer-file.ts";

type Input = StoredGraph["inputs"][number];

/** What text towers take, by the names that transformers gives. */
const textNames = /^(input_ids|text|tokens|texts|attention_mask|token_type_ids|position_ids)$/;

/** Inputs of whole numbers with the axes texts and places. */
export function textInputs({ inputs }: Pick<StoredGraph, "inputs">): Input[] {
  return inputs.filter(({ name, type, shape }) => {
    const kind = elementTypeOf(type)?.name;
    return (kind === "int64" || kind === "int32") && shape?.length === 2 && textNames.test(name);
  });
}

export interface TextTowerOf {
  path: string;
  graph: Pick<StoredGraph, "inputs">;
  tokenizer: TextTokenizer;
  /** What else the file takes, for so many texts. */
  beside: (texts: number) => Record<string, GivenTensor>;
}

export interface EncodedTexts {
  feeds: Record<string, GivenTensor>;
  count: number;
}

/** Numbers of texts, in batches of equal lengths as the file takes them, with the places that the texts have in the list. */
export class TextFeeds {
  readonly #inputs: readonly Input[];
  readonly #tokenizer: TextTokenizer;
  /** As long as the file wants every text, where it says. */
  readonly #length: number | undefined;
  readonly #batch: number | undefined;
  /** Texts that were longer than the tower reads. */
  cut = 0;

  constructor({ path, graph, tokenizer }: Pick<TextTowerOf, "path" | "graph" | "tokenizer">) {
    this.#inputs = textInputs(graph);
    this.#tokenizer = tokenizer;
    const [batch, length] = (this.#inputs[0]?.shape ?? []).map((each) =>
      typeof each === "number" ? each : undefined,
    );
    this.#length = length;
    this.#batch = batch;
    const isText = ({ name }: Input) => !/^(attention_mask|token_type_ids|position_ids)$/.test(name);
    if (this.#inputs.filter(isText).length !== 1) throw noTexts(path, graph);
  }

  *of(texts: readonly string[], most = 64): Generator<EncodedTexts & { places: number[] }> {
    const { padTo, most: limit } = this.#tokenizer;
    const longest = this.#length === undefined ? limit : Math.min(limit ?? this.#length, this.#length);
    const byLength = new Map<number, { ids: number[]; place: number }[]>();
    for (const [place, text] of texts.entries()) {
      const { ids, isCut } = this.#tokenizer.encode(text, longest);
      if (isCut) this.cut++;
      const length = this.#length ?? Math.max(padTo ?? 0, ids.length);
      byLength.set(length, [...(byLength.get(length) ?? []), { ids, place }]);
    }
    const size = this.#batch ?? most;
    for (const [length, rows] of byLength)
      for (let start = 0; start < rows.length; start += size) {
        const some = rows.slice(start, start + size);
        const count = this.#batch ?? some.length;
        const ids = Array.from({ length: count }, (_, i) => some[Math.min(i, some.length - 1)]!.ids);
        yield { feeds: this.#feeds(ids, length), count, places: some.map(({ place }) => place) };
      }
  }

  #feeds(texts: readonly (readonly number[])[], length: number): Record<string, GivenTensor> {
    const { id: pad, isLeft } = this.#tokenizer.padding;
    const entry = (name: string, ids: readonly number[], place: number): number => {
      const at = isLeft ? place - (length - ids.length) : place;
      const isText = at >= 0 && at < ids.length;
      if (name === "attention_mask") return isText ? 1 : 0;
      if (name === "token_type_ids") return 0;
      if (name === "position_ids") return Math.max(0, at);
      return isText ? ids[at]! : pad;
    };
    const feeds: Record<string, GivenTensor> = {};
    for (const { name, type } of this.#inputs) {
      const values = texts.flatMap((ids) => Array.from({ length }, (_, place) => entry(name, ids, place)));
      const shape = [texts.length, length];
      feeds[name] = { type: elementTypeOf(type)!.name, data: Int32Array.from(values), shape };
    }
    return feeds;
  }
}

export interface TextRun extends TextTowerOf {
  output: string;
  threads: number;
  onProgress: (done: number, total: number) => void;
}

/** [texts, width], each text's row as the tower gives it. */
export async function embedTexts(
  texts: readonly string[],
  { path, graph, tokenizer, beside, output, threads, onProgress }: TextRun,
): Promise<{ rows: Float32Array; width: number; cut: number }> {
  const feeds = new TextFeeds({ path, graph, tokenizer });
  const model = await OnnxGraph.open(path, { threads });
  try {
    let rows = new Float32Array(0);
    let [width, done] = [0, 0];
    for (const { feeds: given, count, places } of feeds.of(texts)) {
      const [made] = await model.run({ ...given, ...beside(count) }, [output]).catch((cause: unknown) => {
        throw refused(path, output, (cause as CuelabError).parts.got ?? "", cause);
      });
      const { values, dims } = made!;
      if (dims[0] !== count || dims.slice(2).some((length) => length !== 1))
        throw refused(path, output, `[${dims.join(", ")}] for ${count} texts`);
      if (width === 0) {
        width = values.length / count;
        rows = new Float32Array(texts.length * width);
      }
      for (const [i, at] of places.entries())
        rows.set(values.subarray(i * width, (i + 1) * width), at * width);
      done += places.length;
      onProgress(done, texts.length);
    }
    return { rows, width, cut: feeds.cut };
  } finally {
    await model.close();
  }
}

function refused(where: string, output: string, got: string, cause?: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the text tower gives no embeddings of these prompts",
    where,
    expected: `output ${output}: a row of floats for each text`,
    got: got.split("\n")[0]!,
    todo: "is the tokenizer of this model, with its tokenizer_config.json beside it, which says how long texts may be?",
    ...(cause === undefined ? {} : { cause }),
  });
}

function noTexts(where: string, { inputs }: Pick<StoredGraph, "inputs">): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "this is no text tower",
    where,
    expected:
      "an input named input_ids of whole numbers with two axes, with attention_mask and the like beside it",
    got: inputs
      .map(
        ({ name, type, shape }) =>
          `${name}: ${elementTypeOf(type)?.name ?? "?"} [${shape?.join(", ") ?? "?"}]`,
      )
      .join("; "),
  });
}
