/** Lines of CelebA's lists, cut into fields without making eight million texts of them. */

const [newLine, carriageReturn, space, tab, comma] = [0x0a, 0x0d, 0x20, 0x09, 0x2c];

/** The fields of one line. The object is the same for every line. */
export interface CelebaRow {
  /** Counted from 1, as editors do. */
  line: number;
  count: number;
  text(field: number): string;
  texts(): string[];
  /** Whether the field is exactly this character, or two characters. */
  is(field: number, first: number, second?: number): boolean;
}

/** Visits every line that is not blank. Fields lie between commas or runs of blanks. */
export function forEachRow(bytes: Uint8Array, visit: (row: CelebaRow) => void): void {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [starts, ends]: [number[], number[]] = [[], []];
  const row: CelebaRow = {
    line: 0,
    count: 0,
    text: (field) => content.toString("utf8", starts[field], ends[field]),
    texts: () => Array.from({ length: row.count }, (_, field) => row.text(field)),
    is: (field, first, second) => {
      const start = starts[field]!;
      return (
        ends[field]! - start === (second === undefined ? 1 : 2) &&
        content[start] === first &&
        (second === undefined || content[start + 1] === second)
      );
    },
  };
  const marked = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  for (let at = marked ? 3 : 0; at < content.length; at++) {
    row.line++;
    row.count = 0;
    let inside = false;
    for (; at < content.length && content[at] !== newLine; at++) {
      const byte = content[at];
      const between = byte === space || byte === comma || byte === tab || byte === carriageReturn;
      if (between === !inside) continue;
      if (inside) ends[row.count++] = at;
      else starts[row.count] = at;
      inside = !inside;
    }
    if (inside) ends[row.count++] = at;
    if (row.count > 0) visit(row);
  }
}
