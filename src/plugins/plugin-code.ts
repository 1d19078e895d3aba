/** A plugin as plain data: what was read of it once is handed to every process and thread, whatever becomes of the files. */

export interface PluginCode {
  /** The file that it begins with. */
  path: string;
  /** Of all its own files, and of the packages that they import: equal digests, equal code. */
  digest: string;
  /** Address of its first module. */
  entry: string;
  /** Its own modules by their addresses. */
  modules: Readonly<Record<string, PluginModule>>;
}

export interface PluginModule {
  format: "module" | "json";
  /** Without types; every character is where it is in the file. */
  source: string;
  /** Addresses of what it imports of the plugin's own, by what it calls them. */
  imports: Readonly<Record<string, string>>;
}

/** How a spec names a plugin. Where it lay is told and decides nothing. */
export interface PluginReference {
  path?: string | undefined;
  digest: string;
}
