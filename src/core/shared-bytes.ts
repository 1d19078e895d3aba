/** Bytes that worker threads share instead of each reading its own copy, by key. */

const shared = new Map<string, SharedArrayBuffer>();
/** Keys that a parent thread has loaded. */
const adopted = new Set<string>();

/** The bytes under this key, loaded once a process. */
export async function sharedBytes(key: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const buffer = shared.get(key);
  return buffer === undefined ? share(key, await load()) : new Uint8Array(buffer);
}

/** For what may change while a process lives: loaded anew each time, but for threads whose parent has loaded it. */
export async function freshSharedBytes(key: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
  return adopted.has(key) ? sharedBytes(key, load) : share(key, await load());
}

/** Empty room that threads fill together; the system gives it memory only where something is written. */
export function sharedRoom(key: string, length: number): SharedArrayBuffer {
  const known = shared.get(key);
  if (known?.byteLength === length) return known;
  const buffer = new SharedArrayBuffer(length);
  shared.set(key, buffer);
  return buffer;
}

function share(key: string, bytes: Uint8Array): Uint8Array {
  const buffer = new SharedArrayBuffer(bytes.length);
  const view = new Uint8Array(buffer);
  view.set(bytes);
  shared.set(key, buffer);
  return view;
}

/** What has been loaded so far, to be handed to a worker thread. */
export function allSharedBytes(): ReadonlyMap<string, SharedArrayBuffer> {
  return shared;
}

/** In a worker thread: takes over what the parent has loaded. */
export function adoptSharedBytes(loaded: ReadonlyMap<string, SharedArrayBuffer>): void {
  for (const [key, buffer] of loaded) {
    shared.set(key, buffer);
    adopted.add(key);
  }
}
