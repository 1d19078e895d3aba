/** The running program's own modules, by the names under which plugins import them. */

const own: Readonly<Record<string, () => URL>> = {
  cuelab: () => new URL("./library.js", import.meta.url),
  "cuelab/plugin": () => new URL("./library-plugin.js", import.meta.url),
  "cuelab/engine": () => new URL("./library-engine.js", import.meta.url),
  "cuelab/methods": () => new URL("./library-methods.js", import.meta.url),
};

export const programNames: readonly string[] = Object.keys(own);

/** Their addresses in this process, be it the bundled program or the library. */
export function programAddresses(): Record<string, string> {
  return Object.fromEntries(Object.entries(own).map(([name, address]) => [name, address().href]));
}
