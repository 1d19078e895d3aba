/**
 * Whether what lies behind a JPEG's image data can be: our decoder is content once it has all blocks of the image, also where damage
 * has put the wrong ones there. What follows tells; other programs read to the end, and refuse such files.
 */

const isMarker = 0xff;
/** Second bytes that make a 255 one of the image data, or of what fills up. */
const isData = (next: number) => next === 0x00 || next === 0xff;
const scan = 0xda;
const end = 0xd9;
/** Markers without anything behind them: restarts, and 1. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** C4, C8 and CC among them begin tables, or nothing. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Those whose scans bring the whole picture at once, if they are of all components. */
const isSequential = (marker: number) => marker === 0xc0 || marker === 0xc1;
/** Those that the standard keeps for later. */
const isReserved = (marker: number) =>
  (marker >= 0x02 && marker <= 0xbf) || marker === 0xc8 || (marker >= 0xf0 && marker <= 0xfd);
/** A number of lines, remarks of programs and of people. */
const maySayMore = (marker: number) =>
  marker === 0xdc || (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/** Files that are broken in other ways are left to the decoder. */
export function requireMarkersInOrder(bytes: Uint8Array): void {
  let frame: { isSequential: boolean; components: number } | undefined;
  let isWhole = false;
  for (let at = 2; at + 1 < bytes.length && bytes[at] === isMarker; ) {
    const marker = bytes[at + 1]!;
    if (marker === end) return;
    if (marker === isMarker) at += 1;
    else if (standsAlone(marker)) at += 2;
    else {
      const opens = isFrame(marker);
      if (isReserved(marker) || (opens && frame) || (isWhole && !maySayMore(marker)))
        throw new Error(`the JPEG has a marker that cannot be there, 0x${marker.toString(16)} at byte ${at}`);
      const length = 256 * (bytes[at + 2] ?? 0) + (bytes[at + 3] ?? 0);
      if (opens) frame = { isSequential: isSequential(marker), components: bytes[at + 9] ?? 0 };
      if (marker === scan && frame) isWhole = frame.isSequential && bytes[at + 4] === frame.components;
      at += 2 + length;
      if (marker === scan) at = behindData(bytes, at);
    }
  }
}

/** Where the marker stands that ends the image data which begin at `from`. */
function behindData(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(isMarker, from);
  for (; at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(isMarker, at + 1)) {
    const next = bytes[at + 1]!;
    if (!isData(next) && !standsAlone(next)) return at;
  }
  return bytes.length;
}
