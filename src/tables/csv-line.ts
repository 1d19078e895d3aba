/** A record of a CSV file, with the quoting that RFC 4180 asks for. */

export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value)).join(",")}\n`;
}
