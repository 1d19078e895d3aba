/** The first name that stands twice in one object of a JSON text; the parser keeps the last of them and says nothing. */

const words = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/gs;

/** Of a text that was parsed before. */
export function repeatedName(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [word, colon] of json.matchAll(words)) {
    if (word === "{" || word === "[") open.push(new Set());
    else if (word === "}" || word === "]") open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(word.slice(0, -colon.length)) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
