/** What kind of picture a file holds, by its first bytes: names of files promise things that are not so. */

import { extname } from "node:path";

/** Endings that image files of datasets have, ours and others'. */
export const imageExtensions = ["png", "jpg", "jpeg", "webp", "bmp", "gif", "tif", "tiff", "avif"] as const;

/** Kinds that are read, each with the endings that files of it usually have, the first one for files that we write. */
const readKinds = {
  jpeg: ["jpg", "jpeg", "jfif", "jpe"],
  png: ["png"],
  webp: ["webp"],
  bmp: ["bmp", "dib"],
  gif: ["gif"],
  tiff: ["tif", "tiff"],
  avif: ["avif"],
} as const satisfies Record<string, readonly string[]>;

/** Kinds that people keep photographs in, and that are not read. */
const unreadKinds = {
  heic: ["heic", "heif", "hif"],
  "JPEG XL": ["jxl"],
  "JPEG 2000": ["jp2", "j2k", "jpf", "jpx"],
  "camera raw": ["dng", "nef", "cr2", "cr3", "arw", "orf", "rw2", "raf", "pef", "srw"],
  Photoshop: ["psd"],
  SVG: ["svg"],
  PDF: ["pdf"],
} as const satisfies Record<string, readonly string[]>;

export type ReadKind = keyof typeof readKinds;
export type UnreadKind = keyof typeof unreadKinds;

/** Asked for every image: a look-up, not a search. */
const kindOfEnding: ReadonlyMap<string, ReadKind | UnreadKind> = new Map(
  Object.entries({ ...readKinds, ...unreadKinds }).flatMap(([kind, endings]) =>
    endings.map((ending) => [ending, kind as ReadKind | UnreadKind] as const),
  ),
);

/** Kinds of pictures that are read. */
export const readablePictures = Object.keys(readKinds) as readonly ReadKind[];

/** So many bytes from the beginning tell. */
export const headLength = 64;

/** Undefined where the bytes begin like no picture. */
export function imageKind(bytes: Uint8Array, name = ""): ReadKind | UnreadKind | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headLength));
  const starts = (text: string, at = 0) =>
    head.toString("latin1", at, at + text.length) === text && head.length >= at + text.length;
  if (starts("\xff\xd8\xff")) return "jpeg";
  if (starts("\x89PNG\r\n\x1a\n")) return "png";
  if (starts("GIF87a") || starts("GIF89a")) return "gif";
  if (starts("RIFF") && starts("WEBP", 8)) return "webp";
  if (starts("BM") && isBmpHeader(head)) return "bmp";
  if (["II*\0", "MM\0*", "II+\0", "MM\0+"].some((mark) => starts(mark)))
    // Raw files of most cameras are TIFF files whose first picture is a thumbnail.
    return starts("CR", 8) || promisedKind(name) === "camera raw" ? "camera raw" : "tiff";
  if (starts("ftyp", 4)) return brandKind(head);
  if (starts("\xff\x0a") || starts("\0\0\0\x0cJXL ")) return "JPEG XL";
  if (starts("\0\0\0\x0cjP  ") || starts("\xff\x4f\xff\x51")) return "JPEG 2000";
  if (["IIRO", "IIRS", "IIU\0", "FUJIFILM"].some((mark) => starts(mark))) return "camera raw";
  if (starts("8BPS")) return "Photoshop";
  if (starts("%PDF")) return "PDF";
  return /^\s*<(svg|\?xml)/i.test(head.toString("latin1")) && endingOf(name) === "svg" ? "SVG" : undefined;
}

export function isRead(kind: ReadKind | UnreadKind | undefined): kind is ReadKind {
  return kind !== undefined && Object.hasOwn(readKinds, kind);
}

/** The kind that a name promises. */
export function promisedKind(name: string): ReadKind | UnreadKind | undefined {
  return kindOfEnding.get(endingOf(name));
}

/** The ending that a file of these bytes should have: its own, unless that is unusual or promises something else. */
export function endingFor(bytes: Uint8Array, name: string): string {
  const [kind, own] = [imageKind(bytes, name), endingOf(name)];
  if (!isRead(kind)) return own;
  const isUsual = (imageExtensions as readonly string[]).includes(own) && promisedKind(name) === kind;
  return isUsual ? own : readKinds[kind][0];
}

/** Without the dot, in small letters. */
export function endingOf(name: string): string {
  return extname(name).slice(1).toLowerCase();
}

/** What to do about files that are not read. */
export function wayOut(kind: UnreadKind): string {
  return kind === "heic" || kind === "camera raw" ? "convert to JPEG" : "convert to PNG or JPEG";
}

/** What a file of an unread kind, or of none, is called in messages. */
export function whyUnread(bytes: Uint8Array): string {
  if (bytes.length === 0) return "the file is empty";
  const kind = imageKind(bytes);
  return kind === undefined || isRead(kind)
    ? "it begins like no picture that is read (JPEG, PNG, WebP, GIF, TIFF, BMP, AVIF)"
    : `${kind === "heic" ? "HEIC" : kind}, which is not read: ${wayOut(kind)}`;
}

/** Two letters alone are a word: the sizes of all known headers. */
function isBmpHeader(head: Buffer): boolean {
  return head.length >= 18 && [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14));
}

/** Files of the ISO base media format say by brands what is in them. */
function brandKind(head: Buffer): ReadKind | UnreadKind | undefined {
  const length = Math.min(head.length, head.readUInt32BE(0));
  const brands: string[] = [];
  for (let at = 8; at + 4 <= length; at += 4) if (at !== 12) brands.push(head.toString("latin1", at, at + 4));
  if (brands.some((brand) => brand === "avif" || brand === "avis")) return "avif";
  if (brands.some((brand) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand))) return "heic";
  return brands.includes("crx ") ? "camera raw" : undefined;
}
