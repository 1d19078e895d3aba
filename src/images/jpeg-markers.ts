/**
 * Whether a JPEG's image data end in a marker that there is. Behind others our decoder finds no more data, and says nothing where the
 * rest of the image was still to come; other programs refuse such files.
 */

const isMarker = 0xff;
/** A byte 255 of the image data, or one that fills up. */
const data = [0x00, 0xff];
const scan = 0xda;
const end = 0xd9;
/** Markers without anything behind them: restarts, and 1. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Those that the standard keeps for later. */
const isReserved = (marker: number) =>
  (marker >= 0x02 && marker <= 0xbf) || (marker >= 0xf0 && marker <= 0xfd) || marker === 0xc8;

/** Files that are broken in other ways are left to the decoder. */
export function requireKnownMarkers(bytes: Uint8Array): void {
  let at = 2;
  while (at + 1 < bytes.length && bytes[at] === isMarker) {
    const marker = bytes[at + 1]!;
    if (marker === end) return;
    if (isReserved(marker))
      throw new Error(
        `the image data of the JPEG end in a marker that there is not, 0x${marker.toString(16)}`,
      );
    if (marker === isMarker) at += 1;
    else if (standsAlone(marker)) at += 2;
    else {
      at += 2 + 256 * (bytes[at + 2] ?? 0) + (bytes[at + 3] ?? 0);
      if (marker === scan) at = behindData(bytes, at);
    }
  }
}

/** Where the marker stands that ends the image data which begin at `from`. */
function behindData(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(isMarker, from);
  for (; at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(isMarker, at + 1)) {
    const next = bytes[at + 1]!;
    if (!data.includes(next) && !standsAlone(next)) return at;
  }
  return bytes.length;
}
