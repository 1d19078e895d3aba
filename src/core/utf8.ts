/** Bytes as text, once they are: what is no UTF-8 would become names that others do not have. */

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws where the bytes are no UTF-8. */
export function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new Error("bytes that are no UTF-8", { cause });
  }
}
