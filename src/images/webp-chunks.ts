/** Whether the parts of a WebP file can be: one of a single picture has nothing of another one, or of its transparency, behind it. */

const pictures = ["VP8 ", "VP8L"];
const ofExtended = ["VP8X", "ALPH", "ANIM", "ANMF", ...pictures];

/** Files that are broken in other ways are left to the decoder. */
export function requireWebpChunks(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const typeAt = (at: number) => file.toString("latin1", at, at + 4);
  if (!pictures.includes(typeAt(12))) return;
  for (let at = 12; ; ) {
    at += 8 + file.readUInt32LE(at + 4);
    // Each begins at an even byte.
    at += at % 2;
    if (at + 8 > file.length) return;
    if (ofExtended.includes(typeAt(at)))
      throw new Error(`the WebP has a second picture or a part of one, ${typeAt(at)} at byte ${at}`);
  }
}
