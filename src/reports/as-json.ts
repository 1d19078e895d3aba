/** Plain data for programs: two spaces a level, and a newline at the end. */

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
