/** Hugging Face's `tokenizer.json` with what lies beside it: texts as the numbers that a text tower was trained with. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { CuelabError } from "../../../core/errors.ts";
import { guarded, guardedNow } from "../../../disk/guarded.ts";
import { readPlain } from "../../../disk/plain-file.ts";
import { digestOf } from "../../../disk/vouched.ts";

export interface TextTokenizer {
  /** Of all that decides its numbers. */
  digest: string;
  /** How many numbers a text may have, and by how many texts are made equally long; undefined where nobody says. */
  most: number | undefined;
  padTo: number | undefined;
  padding: { id: number; isLeft: boolean };
  /** As long as the text is, or cut to `most` between what stands before and behind every text. */
  encode: (text: string, most: number | undefined) => { ids: number[]; isCut: boolean };
}

const whole = z.int().nonnegative();
const tokenizerSchema = z.looseObject({
  model: z.looseObject({
    type: z.enum(["BPE", "WordPiece", "Unigram"]),
    vocab: z.union([z.record(z.string(), whole), z.array(z.tuple([z.string(), z.number()]))]),
  }),
  added_tokens: z.array(z.looseObject({ id: whole, content: z.string() })).default([]),
  truncation: z.looseObject({ max_length: whole.min(1) }).nullish(),
  padding: z
    .looseObject({
      strategy: z.union([z.literal("BatchLongest"), z.object({ Fixed: whole.min(1).max(65_536) })]),
      direction: z.enum(["Left", "Right"]).default("Right"),
      pad_id: whole,
    })
    .nullish(),
});

const settingsSchema = z.looseObject({
  model_max_length: z.number().min(1).nullish(),
  pad_token: z.union([z.string(), z.looseObject({ content: z.string() })]).nullish(),
});

const modelSchema = z.looseObject({
  model_type: z.string().optional(),
  text_config: z.looseObject({ max_position_embeddings: whole.min(1).optional() }).optional(),
});

/** Above it transformers means that there is no limit. */
const longestText = 65_536;

const what = "this tokenizer cannot be read";

export async function readTokenizer(path: string): Promise<TextTokenizer> {
  const tokenizer = await jsonBy(tokenizerSchema, path);
  const beside = (name: string) => join(dirname(path), name);
  const settings = await jsonBeside(settingsSchema, beside("tokenizer_config.json"));
  const about = await jsonBeside(modelSchema, beside("config.json"));
  // A published package, loaded where somebody has texts: most models have none.
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const { padding: _padding, truncation: _truncation, ...plain } = tokenizer;
  const own = guardedNow(path, () => new Tokenizer(plain, settings ?? {}), what);
  const numbersOf = (text: string, special: boolean): number[] =>
    guardedNow(
      path,
      () => {
        const { ids } = own.encode(text, { add_special_tokens: special }) as { ids: number[] };
        if (ids.every((id) => Number.isSafeInteger(id) && id >= 0)) return ids;
        throw new Error(`it has no numbers for "${text}"`);
      },
      what,
    );
  const places = about?.text_config?.max_position_embeddings;
  // SigLIP's text towers read their last place, whatever stands there: they were trained with all filled up.
  const fills = about?.model_type?.startsWith("siglip") ? (places ?? 64) : undefined;
  const stated = [tokenizer.truncation?.max_length, settings?.model_max_length, places, fills];
  const limits = stated.filter((limit): limit is number => typeof limit === "number" && limit < longestText);
  const strategy = tokenizer.padding?.strategy;
  return {
    digest: digestOf(JSON.stringify([tokenizer, settings ?? null, fills ?? null])),
    most: limits.length === 0 ? undefined : Math.min(...limits),
    padTo: typeof strategy === "object" ? strategy.Fixed : fills,
    padding: {
      id: tokenizer.padding?.pad_id ?? padIdOf(tokenizer, settings),
      isLeft: tokenizer.padding?.direction === "Left",
    },
    encode(text, most) {
      const ids = numbersOf(text, true);
      if (most === undefined || ids.length <= most) return { ids, isCut: false };
      const content = numbersOf(text, false);
      const before = Math.max(0, ids.indexOf(content[0]!));
      const behind = Math.max(0, ids.length - before - content.length);
      const kept = content.slice(0, Math.max(0, most - before - behind));
      const cut = [...ids.slice(0, before), ...kept, ...ids.slice(ids.length - behind)];
      return { ids: cut.slice(0, most), isCut: true };
    },
  };
}

/** Where nobody names the token that fills up: what comes behind the end of a text is seen by no tower that reads forward. */
function padIdOf(
  { added_tokens: added, model }: z.output<typeof tokenizerSchema>,
  settings: z.output<typeof settingsSchema> | undefined,
): number {
  const named = settings?.pad_token;
  const wanted = typeof named === "string" ? named : named?.content;
  const names = wanted === undefined ? ["[PAD]", "<pad>", "<|endoftext|>"] : [wanted];
  for (const name of names) {
    const found =
      added.find(({ content }) => content === name)?.id ??
      (Array.isArray(model.vocab) ? undefined : new Map(Object.entries(model.vocab)).get(name));
    if (found !== undefined) return found;
  }
  return 0;
}

async function jsonBeside<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
): Promise<z.output<Schema> | undefined> {
  return existsSync(path) ? jsonBy(schema, path) : undefined;
}

async function jsonBy<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>> {
  const json: unknown = await guarded(path, async () => JSON.parse(String(await readPlain(path))), what);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CuelabError({
    kind: "input",
    what,
    where: path,
    expected: "tokenizer.json as Hugging Face's tokenizers write it: BPE, WordPiece or Unigram",
    got: z.prettifyError(parsed.error).split("\n").slice(0, 4).join("; "),
    todo: "save it with tokenizer.save_pretrained(folder), whose tokenizer.json is meant",
  });
}
