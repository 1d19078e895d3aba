/** The header of a safetensors file: which tensors it holds and where, and all that can be wrong with it. */

import { CuelabError } from "../core/errors.ts";
import { repeatedName } from "../core/repeated-name.ts";
import { utf8 } from "../core/utf8.ts";
import { numberTypes } from "./safetensors-numbers.ts";

export interface TensorEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

interface Header {
  entries: (readonly [string, TensorEntry])[];
  metadata: Record<string, string>;
  /** Where the numbers begin. */
  start: number;
}

/** What the specification allows. */
export const largestHeader = 100_000_000;

/** `bytes` hold at least the header of a file of `size` bytes. */
export function decodeHeader(bytes: Buffer, size: number, where: string): Header {
  const kind = foreignKind(bytes);
  if (kind !== undefined) throw unusable(where, kind, convert);
  const again = `copy or download it again; if it is PyTorch's, ${convert}`;
  if (bytes.length < 8) throw unusable(where, `${bytes.length} bytes`, again);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  if (start > size) throw unusable(where, "a header that reaches beyond the end (truncated)", again);
  let header: unknown;
  let twice: string | undefined;
  try {
    const text = utf8(bytes.subarray(8, start));
    header = JSON.parse(text);
    twice = repeatedName(text);
  } catch (cause) {
    throw unusable(where, `a header that is no JSON: ${(cause as Error).message}`, again);
  }
  if (!isObject(header)) throw unusable(where, "a header that is no JSON object", again);
  if (twice !== undefined) throw unusable(where, `the name "${twice}" twice in its header`, rewrite);
  const { __metadata__: metadata = {}, ...tensors } = header;
  if (!isObject(metadata) || Object.values(metadata).some((value) => typeof value !== "string"))
    throw unusable(where, "metadata that are no texts by name", rewrite);
  const entries = Object.entries(tensors).map(([name, entry]) => {
    if (!isEntry(entry)) throw unusable(where, `tensor "${name}" without type, shape and place`, again);
    const { dtype, shape, data_offsets: offsets } = entry;
    if (!Object.hasOwn(numberTypes, dtype)) throw unknownType(where, name, dtype);
    if (start + offsets[1] > size) throw unusable(where, `tensor "${name}" is cut short`, again);
    const [needed, given] = [bytesOf(entry), offsets[1] - offsets[0]];
    if (needed !== given) {
      const text = `tensor "${name}" in ${given} bytes, where [${shape.join(", ")}] of ${dtype} takes ${needed}`;
      throw unusable(where, text, rewrite);
    }
    return [name, entry] as const;
  });
  const shared = overlapping(entries);
  if (shared !== undefined) throw unusable(where, `${shared} in the same place`, rewrite);
  const taken = entries.reduce((sum, [, { data_offsets: offsets }]) => sum + offsets[1] - offsets[0], start);
  if (taken !== size) throw unusable(where, `${size - taken} bytes that belong to no tensor`, rewrite);
  return { entries, metadata: metadata as Record<string, string>, start };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEntry(entry: unknown): entry is TensorEntry {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Partial<TensorEntry>;
  const areCounts = (list: unknown) =>
    Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0);
  return typeof dtype === "string" && areCounts(shape) && areCounts(offsets) && offsets!.length === 2;
}

function bytesOf({ dtype, shape }: TensorEntry): number {
  return shape.reduce((product, n) => product * n, numberTypes[dtype]!.bytes);
}

/** Two tensors of which one begins before the other ends; empty ones lie nowhere. */
function overlapping(entries: Header["entries"]): string | undefined {
  const placed = entries
    .map(([name, { data_offsets: offsets }]) => ({ name, from: offsets[0], to: offsets[1] }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  const second = placed.findIndex(({ from }, i) => i > 0 && from < placed[i - 1]!.to);
  return second < 0 ? undefined : `tensors "${placed[second - 1]!.name}" and "${placed[second]!.name}"`;
}

function unusable(where: string, got: string, todo: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "not a usable safetensors file",
    where,
    expected: "a whole file of the safetensors format: a header that names all tensors, then their numbers",
    got,
    todo,
  });
}

function unknownType(where: string, name: string, dtype: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "numbers of a type that is not read",
    where,
    expected: `one of: ${Object.keys(numberTypes).join(", ")}`,
    got: `tensor "${name}" of type ${dtype}`,
    todo: "convert it in Python: from safetensors.torch import load_file, save_file; save_file({k: v.float() for k, v in load_file(file).items()}, 'weights.safetensors')",
  });
}

const convert =
  "convert it in Python: from safetensors.torch import save_file; save_file(torch.load(file, map_location='cpu', weights_only=True), 'weights.safetensors'); of a Lightning checkpoint, what is under its key 'state_dict'";

/** The file is whole and says what cannot be: another copy would say it too. */
const rewrite = "its header contradicts the format: write it again with the safetensors library";

/** What people mistake for it, known by its first bytes. */
function foreignKind(bytes: Buffer): string | undefined {
  const begins = (...values: number[]) => values.every((value, i) => bytes[i] === value);
  // A header of four gigabytes is none: where these are zero, the first bytes may well be a length.
  if (bytes.subarray(4, 8).every((byte) => byte === 0)) return undefined;
  if (begins(0x50, 0x4b, 0x03, 0x04)) return "a zip archive, such as PyTorch's .pt and .pth files";
  if (begins(0x80, 0x02)) return "a Python pickle, such as PyTorch's older .pth files";
  return undefined;
}
