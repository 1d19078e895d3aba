/** The few EXIF tags that tell where a photograph comes from. Whatever is damaged is left out: others judge the file. */

export interface ExifFacts {
  camera?: string | undefined;
  lens?: string | undefined;
  software?: string | undefined;
  /** When it was taken, by the camera's clock. */
  taken?: ExifTime | undefined;
  sensitivity?: number | undefined;
  /** Seconds. */
  exposure?: number | undefined;
  /** Millimetres. */
  focalLength?: number | undefined;
  flash?: boolean | undefined;
  /** Whether it says where on earth. */
  located: boolean;
}

export interface ExifTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  /** Since 1970, as if the camera's clock showed universal time. */
  seconds: number;
}

const tag = {
  make: 0x010f,
  model: 0x0110,
  software: 0x0131,
  changed: 0x0132,
  exposure: 0x829a,
  exifDirectory: 0x8769,
  placeDirectory: 0x8825,
  sensitivity: 0x8827,
  taken: 0x9003,
  flash: 0x9209,
  focalLength: 0x920a,
  lens: 0xa434,
} as const;

/** Bytes of one value of each type of TIFF 6.0. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };

/** More entries than any camera writes: a damaged count would take long to walk through. */
const mostEntries = 512;

/** `block` as it stands in the file, with or without `Exif\0\0` before it. */
export function readExif(block: Uint8Array): ExifFacts | undefined {
  const marked = Buffer.from(block.buffer, block.byteOffset, Math.min(6, block.length)).equals(
    Buffer.from("Exif\0\0"),
  );
  const bytes = marked ? block.subarray(6) : block;
  const little = bytes[0] === 0x49 && bytes[1] === 0x49;
  if (!little && !(bytes[0] === 0x4d && bytes[1] === 0x4d)) return undefined;
  const reader = new TiffReader(bytes, little);
  const main = reader.directory(reader.number(4, 4));
  const own = reader.directory(asNumber(main.get(tag.exifDirectory)));
  const text = (value: TagValue | undefined) =>
    typeof value === "string" && value !== "" ? value : undefined;
  const flash = asNumber(own.get(tag.flash));
  return {
    camera: cameraName(text(main.get(tag.make)), text(main.get(tag.model))),
    lens: text(own.get(tag.lens)),
    software: text(main.get(tag.software)),
    taken: exifTime(text(own.get(tag.taken)) ?? text(main.get(tag.changed))),
    sensitivity: asNumber(own.get(tag.sensitivity)),
    exposure: asNumber(own.get(tag.exposure)),
    focalLength: asNumber(own.get(tag.focalLength)),
    flash: flash === undefined ? undefined : (flash & 1) === 1,
    located: main.has(tag.placeDirectory),
  };
}

/** Many models repeat their maker's name. */
function cameraName(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make;
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
}

/** `2024:05:06 07:08:09`; clocks that were never set say zeros. */
export function exifTime(text: string | undefined): ExifTime | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(text ?? "");
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return { year, month, day, hour, seconds: Date.UTC(year, month - 1, day, hour, minute, second) / 1000 };
}

type TagValue = string | number;

class TiffReader {
  readonly #bytes: Buffer;
  readonly #little: boolean;

  constructor(bytes: Uint8Array, little: boolean) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#little = little;
  }

  /** Undefined outside of the block. */
  number(at: number, size: number): number | undefined {
    if (at < 0 || at + size > this.#bytes.length) return undefined;
    return this.#little ? this.#bytes.readUIntLE(at, size) : this.#bytes.readUIntBE(at, size);
  }

  directory(at: number | undefined): Map<number, TagValue> {
    const found = new Map<number, TagValue>();
    const count = at === undefined ? undefined : this.number(at, 2);
    if (at === undefined || count === undefined) return found;
    for (let i = 0; i < Math.min(count, mostEntries); i++) {
      const entry = at + 2 + 12 * i;
      const name = this.number(entry, 2);
      const value = this.#value(entry);
      if (name !== undefined && value !== undefined) found.set(name, value);
    }
    return found;
  }

  /** Texts whole, of numbers the first. */
  #value(entry: number): TagValue | undefined {
    const [type, count] = [this.number(entry + 2, 2), this.number(entry + 4, 4)];
    const size = type === undefined ? undefined : sizes[type];
    if (type === undefined || count === undefined || size === undefined || count === 0) return undefined;
    // Up to four bytes stand in the entry itself, more elsewhere.
    const at = size * count <= 4 ? entry + 8 : this.number(entry + 8, 4);
    if (at === undefined || at + size * count > this.#bytes.length) return undefined;
    if (type === 2) {
      const text = this.#bytes.subarray(at, at + count).toString("utf8");
      return (text.split("\0")[0] ?? "").trim();
    }
    if (size <= 4) return this.number(at, size);
    const [above, below] = [this.number(at, 4), this.number(at + 4, 4)];
    return above === undefined || below === undefined || below === 0 ? undefined : above / below;
  }
}

function asNumber(value: TagValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
