/**
 * Loaded before the program in each of its processes and threads: notes every connection that is asked for, every name that is looked
 * up, and every path that is written to, as a line of JSON in the file that CUELAB_TRAP names. It changes nothing else.
 */

const fs = require("node:fs");
const path = require("node:path");
const { syncBuiltinESMExports } = require("node:module");
const { appendFileSync } = fs;

const file = process.env.CUELAB_TRAP;
const note = (kind, what) => appendFileSync(file, `${JSON.stringify([kind, String(what)])}\n`);

/** Before each call `see` looks at what it was given. */
function before(holder, name, see) {
  const original = holder[name];
  if (typeof original !== "function") return;
  holder[name] = function (...given) {
    see(...given);
    return Reflect.apply(original, this, given);
  };
  for (const key of Reflect.ownKeys(original))
    if (!Object.hasOwn(holder[name], key))
      Object.defineProperty(holder[name], key, Object.getOwnPropertyDescriptor(original, key));
}

// HTTP, TLS and fetch end in a socket of this class.
before(require("node:net").Socket.prototype, "connect", (target) => note("connect", JSON.stringify(target)));
before(require("node:net").Server.prototype, "listen", (target) => note("listen", JSON.stringify(target)));
before(require("node:dgram"), "createSocket", (kind) => note("connect", JSON.stringify(kind)));
const dns = require("node:dns");
for (const holder of [dns, dns.promises])
  for (const name of Object.keys(holder))
    if (/^(lookup|resolve|reverse)/.test(name)) before(holder, name, (asked) => note("look-up", asked));

const written = (target) => {
  if (typeof target !== "number" && target !== file)
    note("write", path.resolve(target instanceof URL ? target.pathname : String(target)));
};
const opened = (target, flags = "r") => {
  const isWriting = typeof flags === "number" ? (flags & 3) !== 0 : /[wa+]/.test(String(flags));
  if (isWriting) written(target);
};
for (const holder of [fs, fs.promises]) {
  for (const ending of ["", "Sync"]) {
    before(holder, `open${ending}`, opened);
    for (const name of ["writeFile", "appendFile", "mkdir", "truncate", "utimes", "chmod", "chown"])
      before(holder, `${name}${ending}`, written);
    for (const name of ["rm", "rmdir", "unlink", "mkdtemp"]) before(holder, `${name}${ending}`, written);
    for (const name of ["rename", "link", "symlink", "copyFile", "cp"])
      before(holder, `${name}${ending}`, (_, target) => written(target));
  }
}
before(fs, "createWriteStream", written);
syncBuiltinESMExports();
