/** TypeScript without its types: blanks stand in their place, so that every line and column stays what it was. */

import { CuelabError } from "../core/errors.ts";

/** What the package throws, which is no Error. */
interface SyntaxProblem {
  code?: string;
  message?: string;
  startLine?: number;
  startColumn?: number;
}

export async function stripTypes(source: string, path: string): Promise<string> {
  // Loading it takes longer than all of its work.
  const { default: swc } = await import("@swc/wasm-typescript");
  try {
    return swc.transformSync(source, { mode: "strip-only", filename: path, module: true }).code;
  } catch (cause) {
    const { code, message = String(cause), startLine, startColumn } = cause as SyntaxProblem;
    const at = startLine === undefined ? "" : `:${startLine}:${(startColumn ?? 0) + 1}`;
    const unsupported = code === "UnsupportedSyntax";
    throw new CuelabError({
      kind: "input",
      what: unsupported
        ? "the plugin uses TypeScript that is more than types"
        : "the plugin is no TypeScript",
      where: `${path}${at}`,
      got: message,
      ...(unsupported && {
        expected: "types that can be left out: no enum, namespace or parameter property (erasableSyntaxOnly)",
      }),
      cause,
    });
  }
}
