/** Texts such as `{'model_arch': 'resnet50', 'transfer': False}`, which Python writes where a table has no place for more. */

export type Literal = string | number | boolean | null | Literal[] | { [key: string]: Literal };

/** The value that the text spells, as Python or as JSON; undefined where it spells none. */
export function pythonLiteral(text: string): Literal | undefined {
  const reader = new LiteralReader(text);
  try {
    const value = reader.value();
    return reader.done() ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

const words: Record<string, Literal> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
  nan: Number.NaN,
  NaN: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
};

const closing: Record<string, string> = { "[": "]", "(": ")" };

/** Nobody nests settings of a model deeper; a text of thirty thousand brackets would exhaust the stack. */
const deepest = 500;

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "\n": "" };

class LiteralReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  done(): boolean {
    this.#space();
    return this.#at === this.#text.length;
  }

  value(): Literal {
    this.#space();
    const sign = this.#text[this.#at] ?? "";
    if (sign === "{") return this.#mapping();
    if (Object.hasOwn(closing, sign)) return this.#sequence(closing[sign]!);
    if (sign === "'" || sign === '"') return this.#string(sign);
    const number = this.#match(/[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const word = this.#match(/[A-Za-z]+/y);
    if (word !== undefined && Object.hasOwn(words, word)) return words[word]!;
    throw new SyntaxError(`no value at ${this.#at}`);
  }

  #mapping(): Literal {
    const entries: Record<string, Literal> = Object.create(null) as Record<string, Literal>;
    this.#list("}", () => {
      const key = this.value();
      this.#expect(":");
      entries[typeof key === "object" ? JSON.stringify(key) : String(key)] = this.value();
    });
    return entries;
  }

  #sequence(end: string): Literal {
    const items: Literal[] = [];
    this.#list(end, () => items.push(this.value()));
    return items;
  }

  /** What stands between brackets, with commas; one more comma may end it. */
  #list(end: string, item: () => void): void {
    if (++this.#depth > deepest) throw new SyntaxError(`nested too deeply at ${this.#at}`);
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#text[this.#at] === end) break;
      item();
      this.#space();
      if (this.#text[this.#at] !== end) this.#expect(",");
    }
    this.#depth--;
    this.#at++;
  }

  #string(quote: string): string {
    let text = "";
    for (this.#at++; ; this.#at++) {
      const letter = this.#text[this.#at];
      if (letter === undefined) throw new SyntaxError("a text does not end");
      if (letter === quote) break;
      if (letter === "\\") {
        const escaped = this.#text[++this.#at] ?? "";
        text += Object.hasOwn(escapes, escaped) ? escapes[escaped]! : escaped;
      } else text += letter;
    }
    this.#at++;
    return text;
  }

  #expect(sign: string): void {
    this.#space();
    if (this.#text[this.#at] !== sign) throw new SyntaxError(`no ${sign} at ${this.#at}`);
    this.#at++;
  }

  #space(): void {
    this.#match(/\s*/y);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
