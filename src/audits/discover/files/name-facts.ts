/** What an image's name tells besides its class and its split. */

import { posix } from "node:path";

export interface NameFacts {
  /** Folders between those of split and class and the file; empty where there are none. */
  folder: string;
  /** Without its ending. */
  stem: string;
  /** As it is written, so that JPG and jpg differ. */
  ending: string;
}

export interface NameWords {
  className: string;
  splitName: string;
}

/** `file` is relative to the dataset, with forward slashes. */
export function nameFacts(file: string, { className, splitName }: NameWords): NameFacts {
  const parts = file.split("/");
  const last = parts.pop() ?? "";
  const ending = posix.extname(last);
  // A name that repeats its class tells nothing that its folder does not.
  const stem = withoutWord(ending === "" ? last : last.slice(0, -ending.length), className);
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const folders = parts.filter((part) => !same(part, className) && !same(part, splitName));
  return { folder: folders.join("/"), stem, ending: ending.slice(1) };
}

/** As a word of its own: a "b" within "bild" is none, and what is cut away from one class's names alone would tell them apart. */
function withoutWord(text: string, word: string): string {
  if (!/\p{L}/u.test(word)) return text;
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  if (at < 0) return text;
  const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
  return /[\p{L}\p{N}]$/u.test(before) || /^[\p{L}]/u.test(after) ? text : before + after;
}

/** `video12_frame003` is picture 3 of the series `video12_frame`. Undefined where the name does not end with a number. */
export function seriesOf({ folder, stem }: NameFacts): { series: string; number: number } | undefined {
  const parts = /^(.*?)(\d{1,15})$/s.exec(stem);
  return parts === null ? undefined : { series: `${folder}/${parts[1]}`, number: Number(parts[2]) };
}
