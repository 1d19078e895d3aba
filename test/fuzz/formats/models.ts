/** Files that people have beside a network: names of classes, a tokenizer, embeddings of texts, how pictures are made ready. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npyHeader } from "../../../src/tables/npy.ts";
import { readClassFile } from "../../../src/training/asked/class-file.ts";
import { statedFile } from "../../../src/training/asked/preparation-words.ts";
import { readPrompts } from "../../../src/training/asked/zero-shot/prompts.ts";
import { readTextEmbeddings } from "../../../src/training/asked/zero-shot/text-embeddings.ts";
import { readTokenizer } from "../../../src/training/asked/zero-shot/tokenizer-file.ts";
import { type FuzzedFormat, mustHold } from "../fuzzed-format.ts";
import { jsonFile } from "../mutators/json.ts";
import { oddTable } from "../mutators/odd-text.ts";
import { tableText } from "../mutators/text.ts";
import { jsonWords } from "../mutators/tokens.ts";

const root = join(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../../..");
const clip = (name: string) => readFileSync(join(root, "test/references/clip", name));
const json = [jsonFile, jsonWords];

function beside(
  name: string,
  covers: string,
  content: () => Buffer | string,
  mutators: FuzzedFormat["mutators"],
  read: (path: string) => Promise<unknown>,
): FuzzedFormat {
  return {
    name,
    covers: [covers],
    mutators,
    seed: async (folder) => {
      const file = name.split(", ").at(-1)!;
      writeFileSync(join(folder, file), content());
      return file;
    },
    read: (folder, file) => read(join(folder, file)),
  };
}

async function texts(path: string): Promise<unknown> {
  const { most, padTo, padding, encode } = await readTokenizer(path);
  mustHold(most === undefined || most > 0, `texts of ${most}`);
  const found = ["a photo of a polar bear.", "Köln 汽车 5½", ""].map((text) => {
    const { ids } = encode(text, most);
    mustHold(
      ids.every((id) => Number.isSafeInteger(id) && id >= 0),
      "a token that is none",
    );
    mustHold(most === undefined || ids.length <= most, "a text that was not cut");
    return ids;
  });
  return { most, padTo, padding, found };
}

async function rowsOf(path: string): Promise<unknown> {
  const found = await readTextEmbeddings(path);
  mustHold(found.rows.length === found.classes * found.width, `${found.rows.length} numbers`);
  mustHold(found.names === undefined || found.names.length === found.classes, "names of other classes");
  mustHold(found.rows.every(Number.isFinite), "a number that is none");
  return found;
}

async function classes(path: string): Promise<unknown> {
  const found = await readClassFile(path);
  mustHold(
    found.every(({ name }) => typeof name === "string"),
    "a name that is none",
  );
  return found;
}

const matrix = () =>
  Buffer.concat([npyHeader("<f4", [3, 2]), Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer)]);

export const modelFormats: readonly FuzzedFormat[] = [
  beside("tokenizer.json", "asked tokenizer-file", () => clip("tokenizer.json"), json, texts),
  beside(
    "preprocessor_config.json",
    "asked stated-preparation",
    () => clip("preprocessor_config.json"),
    json,
    statedFile,
  ),
  beside(
    "classes, names.json",
    "asked class-file",
    () => '{"0": ["n01", "a cat"], "1": ["n02", "a dog"]}',
    json,
    classes,
  ),
  beside(
    "classes, names.csv",
    "asked class-file",
    () => "index,name\n0,cat\n1,dog\n2,cow\n",
    [tableText(","), oddTable(",")],
    classes,
  ),
  beside(
    "prompts.json",
    "asked prompts",
    () => '{"cat": ["a cat", "a {}"], "dog": "a dog"}',
    json,
    async (path) => (await readPrompts(path)).of("cat", []),
  ),
  beside(
    "text embeddings, e.csv",
    "asked text-embeddings",
    () => "name,0,1\ncat,1,0.5\ndog,2,-1\n",
    [tableText(","), oddTable(",")],
    rowsOf,
  ),
  beside("text embeddings, e.npy", "asked text-embeddings", matrix, [], rowsOf),
];
