/**
 * Files as tables name them: with the separators of Windows, and with letters composed or decomposed as macOS and others
 * differ on. Plain names cost nothing.
 */

import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

export class FileNames {
  readonly #base: string;
  /** Of each folder below the base: its entries by their composed names. */
  readonly #folders = new Map<string, Promise<Map<string, string>>>();
  #backslashes: boolean | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  /** The path as the disk has it, relative to the base; as it is where no such file is found. */
  async find(path: string): Promise<string> {
    if (isAbsolute(path) || !/[\\\u0080-\uffff]/.test(path)) return path;
    if (path.includes("\\")) this.#backslashes ??= (await this.#onDisk(path)) === undefined;
    const said = this.#backslashes ? path.replaceAll("\\", "/") : path;
    return (await this.#onDisk(said)) ?? said;
  }

  async #onDisk(path: string): Promise<string | undefined> {
    let found = "";
    for (const part of path.split("/")) {
      if (part === "." || part === "") continue;
      const entry = part === ".." ? ".." : (await this.#entries(found)).get(part.normalize("NFC"));
      if (entry === undefined) return undefined;
      found = found === "" ? entry : `${found}/${entry}`;
    }
    return found;
  }

  #entries(folder: string): Promise<Map<string, string>> {
    let entries = this.#folders.get(folder);
    if (entries === undefined) {
      entries = readdir(join(this.#base, folder)).then(
        (names) => new Map(names.map((name) => [name.normalize("NFC"), name])),
        () => new Map<string, string>(),
      );
      this.#folders.set(folder, entries);
    }
    return entries;
  }
}
