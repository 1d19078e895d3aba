/** `cuelab/plugin` as plugins get it: the running program's own, also where the program is bundled. */

export * from "../plugin.ts";
