/** Markup that cannot be broken by what it shows: everything put into a template is escaped, unless it is markup itself. */

import { shownLines } from "./shown-text.ts";

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For element content and for attributes in quotes. */
export function escapeMarkup(text: string): string {
  return shownLines(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/** A piece of HTML or SVG that is known to be whole. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Filling = Markup | string | number | readonly Filling[];

/** `html\`<p>${name}</p>\``: names may hold anything. */
export function html(texts: TemplateStringsArray, ...fillings: readonly Filling[]): Markup {
  return new Markup(String.raw({ raw: texts }, ...fillings.map(filled)));
}

function filled(filling: Filling): string {
  if (filling instanceof Markup) return filling.text;
  if (typeof filling === "object") return filling.map(filled).join("");
  return escapeMarkup(String(filling));
}
