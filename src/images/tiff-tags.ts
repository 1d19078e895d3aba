/** Whether what a TIFF file says of its first picture can be: the decoder takes one of two answers, or what is left of a third. */

const [widthTag, heightTag, meaningTag, samplesTag, extraTag] = [256, 257, 262, 277, 338];
/** Types of whole numbers without a sign, by their numbers in the standard, and how many bytes they take. */
const whole: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };
/** Short, long, and the long one of large files. */
const ofSizes = [3, 4, 16];
/** How many samples of a pixel are its colour, by what they mean. */
const colours: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 3: 1, 5: 4, 6: 3, 8: 3 };

interface Tag {
  type: number;
  count: number;
  /** Where the first value stands, if it is within the tag. */
  at: number;
}

/** Files that are broken in other ways are left to the decoder. */
export function requireTiffTags(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const tags = tagsOf(view, little);
  for (const number of [widthTag, heightTag]) {
    const type = tags.get(number)?.type;
    if (type !== undefined && !ofSizes.includes(type))
      throw new Error(`the TIFF has a size of another type, ${type} in tag ${number}`);
  }
  const first = (number: number) => {
    const tag = tags.get(number);
    return tag && whole[tag.type] !== undefined
      ? numberAt(view, tag.at, whole[tag.type]!, little)
      : undefined;
  };
  const colour = colours[first(meaningTag) ?? -1];
  const extra = tags.get(extraTag)?.count ?? 0;
  const samples = first(samplesTag) ?? 1;
  if (colour !== undefined && extra > 0 && samples - colour !== extra)
    throw new Error(`the TIFF says ${samples} samples a pixel, ${colour} of colour and ${extra} more`);
}

/** By their numbers; none where the list goes beyond the file. */
function tagsOf(view: DataView, little: boolean): Map<number, Tag> {
  const large = view.byteLength >= 16 && view.getUint16(2, little) === 43;
  const tags = new Map<number, Tag>();
  const size = large ? 8 : 4;
  const list = view.byteLength < 16 ? view.byteLength : numberAt(view, large ? 8 : 4, size, little);
  const from = list + (large ? 8 : 2);
  if (from > view.byteLength) return tags;
  const length = numberAt(view, list, from - list, little);
  const step = 4 + 2 * size;
  if (from + length * step > view.byteLength) return tags;
  for (let at = from; at < from + length * step; at += step) {
    const number = view.getUint16(at, little);
    if (tags.has(number)) throw new Error(`the TIFF has tag ${number} twice, again at byte ${at}`);
    const count = numberAt(view, at + 4, size, little);
    tags.set(number, { type: view.getUint16(at + 2, little), count, at: at + 4 + size });
  }
  return tags;
}

function numberAt(view: DataView, at: number, size: number, little: boolean): number {
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at, little);
  return size === 4 ? view.getUint32(at, little) : Number(view.getBigUint64(at, little));
}
