/** Bytes that worker threads share instead of each reading its own copy, by key. */

const shared = new Map<string, SharedArrayBuffer>();

/** The bytes under this key, loaded once a process. */
export async function sharedBytes(key: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
  let buffer = shared.get(key);
  if (buffer === undefined) {
    const bytes = await load();
    buffer = new SharedArrayBuffer(bytes.length);
    new Uint8Array(buffer).set(bytes);
    shared.set(key, buffer);
  }
  return new Uint8Array(buffer);
}

/** What has been loaded so far, to be handed to a worker thread. */
export function allSharedBytes(): ReadonlyMap<string, SharedArrayBuffer> {
  return shared;
}

/** In a worker thread: takes over what the parent has loaded. */
export function adoptSharedBytes(loaded: ReadonlyMap<string, SharedArrayBuffer>): void {
  for (const [key, buffer] of loaded) shared.set(key, buffer);
}
