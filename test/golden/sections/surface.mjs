/** What people see before anything is computed: help texts, and the names that the library exports. */

export async function surface({ checkout, folder }) {
  const help = {};
  const visit = async (command) => {
    const text = await checkout.cuelab([...command, "--help"].join(" "), { cwd: folder });
    help[["cuelab", ...command].join(" ")] = text.trimEnd().split("\n");
    await Promise.all(subcommands(text).map((name) => visit([...command, name])));
  };
  await visit([]);
  const entries = Object.keys(checkout.package.exports).filter((entry) => !entry.endsWith(".json"));
  const exported = {};
  for (const entry of entries) {
    const names = Object.entries(await checkout.library(entry)).sort(([a], [b]) => (a < b ? -1 : 1));
    exported[entry] = Object.fromEntries(names.map(([name, value]) => [name, typeof value]));
  }
  const json = async (line) => JSON.parse(await checkout.cuelab(`${line} --json`, { cwd: folder }));
  return {
    portable: {
      help: Object.fromEntries(Object.entries(help).sort(([a], [b]) => (a < b ? -1 : 1))),
      exports: exported,
      "data list": await json("data list"),
      "study list": await json("study list"),
    },
    bits: {},
  };
}

/** Names below "Commands:", indented by two; the texts beside them are indented further. */
function subcommands(text) {
  const [, list = ""] = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(text) ?? [];
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name).filter((name) => name !== "help");
}
