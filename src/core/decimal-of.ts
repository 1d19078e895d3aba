/** Numbers in texts that others wrote: decimal ones alone, where JavaScript takes `0x10`, `0b1` and nothing at all for numbers, too. */

const decimalNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** NaN of a text that is no number. */
export function decimalOf(text: string): number {
  const trimmed = text.trim();
  return decimalNumber.test(trimmed) ? Number(trimmed) : Number.NaN;
}
