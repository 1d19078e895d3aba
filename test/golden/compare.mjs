/** Two records side by side: every place where they differ, and whether it was meant to. */

/** Leaves that differ, as { path, stored, found }; of arrays of floats the first place. */
export function differences(stored, found, path = []) {
  if (Object.is(stored, found)) return [];
  if (!isBranch(stored) || !isBranch(found)) return [{ path, stored, found }];
  if ("float32" in stored && "float32" in found) return floatDifference(stored, found, path);
  if (isText(stored) && isText(found)) return lineDifferences(stored, found, path);
  if (isNamed(stored) && isNamed(found)) return namedDifferences(stored, found, path);
  const names = new Set([...Object.keys(stored), ...Object.keys(found)]);
  return [...names].flatMap((name) => differences(stored[name], found[name], [...path, name]));
}

function isBranch(value) {
  return typeof value === "object" && value !== null;
}

function isText(value) {
  return Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === "string");
}

/** A list of things that each have a name of their own. */
function isNamed(value) {
  if (!Array.isArray(value) || value.length === 0) return false;
  const names = value.map((one) => (isBranch(one) ? one.name : undefined));
  return names.every((name) => typeof name === "string") && new Set(names).size === names.length;
}

/** By name, so that another order is one difference and not one in all of them. */
function namedDifferences(stored, found, path) {
  const byName = (list) => Object.fromEntries(list.map((one) => [one.name, one]));
  const [before, after] = [stored, found].map((list) => list.map(({ name }) => name));
  const shared = (names, others) => names.filter((name) => others.includes(name));
  const moved = shared(before, after).join("\n") !== shared(after, before).join("\n");
  const order = moved ? [{ path: [...path, "(order)"], stored: before, found: after }] : [];
  return [...order, ...differences(byName(stored), byName(found), path)];
}

/** An added line moves all that follow, so lines are compared by what they say, and by place only where all are there. */
function lineDifferences(stored, found, path) {
  const without = (lines, others) => {
    const left = [...others];
    return [...lines.entries()].filter(([, line]) => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const place = (i) => [...path, `line ${i + 1}`];
  const gone = without(stored, found).map(([i, line]) => ({ path: place(i), stored: line }));
  const added = without(found, stored).map(([i, line]) => ({ path: place(i), found: line }));
  if (gone.length + added.length > 0) return paired(gone, added);
  const moved = stored.findIndex((line, i) => line !== found[i]);
  return moved < 0 ? [] : [{ path: place(moved), stored: stored[moved], found: found[moved] }];
}

/** A line of one text and the line of the other in its place are one difference. */
function paired(gone, added) {
  const key = ({ path }) => path.at(-1);
  const byPlace = new Map(added.map((difference) => [key(difference), difference]));
  const first = gone.map((difference) => {
    const other = byPlace.get(key(difference));
    byPlace.delete(key(difference));
    return { ...difference, found: other?.found };
  });
  return [...first, ...byPlace.values()].map(({ path, stored, found }) => ({ path, stored, found }));
}

function floatDifference(stored, found, path) {
  const [a, b] = [stored, found].map(({ float32 }) => {
    const bytes = Uint8Array.from(Buffer.from(float32, "base64"));
    return { values: new Float32Array(bytes.buffer), bits: new Uint32Array(bytes.buffer) };
  });
  if (a.bits.length !== b.bits.length)
    return [{ path, stored: `${a.bits.length} numbers`, found: `${b.bits.length} numbers` }];
  const at = a.bits.findIndex((bits, i) => bits !== b.bits[i]);
  if (at < 0) return [];
  const told = ({ values, bits }) => `${values[at]} (0x${bits[at].toString(16).padStart(8, "0")})`;
  const others = a.bits.reduce((count, bits, i) => count + (bits === b.bits[i] ? 0 : 1), 0);
  return [
    {
      path: [...path, String(at)],
      stored: told(a),
      found: `${told(b)}, ${others} of ${a.bits.length} differ`,
    },
  ];
}

/**
 * Splits differences into those that an entry of intended.json speaks of and all others. An entry's `path` is a list of
 * names from the section on, in which `*` stands for any letters and `**` at the end for whatever follows; with
 * `"only": "added"` it speaks of what is there and was not, with `within` of numbers so close, relative to their size.
 */
export function judge(found, intended) {
  const used = new Map(intended.map((entry) => [entry, 0]));
  const others = found.filter((difference) => {
    const entry = intended.find((entry) => speaksOf(entry, difference));
    if (entry !== undefined) used.set(entry, used.get(entry) + 1);
    return entry === undefined;
  });
  return { others, used };
}

function speaksOf({ path, only, within }, { path: at, stored, found }) {
  if (!covers(path, at) || (only === "added" && stored !== undefined)) return false;
  if (within === undefined) return true;
  return Math.abs(found - stored) <= within * Math.max(Math.abs(stored), Math.abs(found));
}

function covers(pattern, path) {
  for (const [i, name] of pattern.entries()) {
    if (name === "**") return true;
    if (i >= path.length || !matches(name, path[i])) return false;
  }
  return pattern.length === path.length;
}

function matches(pattern, name) {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
}

export function tell({ path, stored, found }) {
  const short = (value) => {
    const text = value === undefined ? "nothing" : JSON.stringify(value);
    return text.length > 160 ? `${text.slice(0, 160)}…` : text;
  };
  return `${path.join(" › ")}\n    stored ${short(stored)}\n    found  ${short(found)}`;
}
