/** Names of classes, values and columns are drawn and written a thousand times: a whole text is none. */

import { limited, requireLimit } from "./limits.ts";

export function requireShortNames(names: Iterable<string>, where: string): void {
  for (const name of names) {
    limited(`a name is too long: ${JSON.stringify(`${name.slice(0, 40)}…`)}`, where, () =>
      requireLimit("name", name.length),
    );
  }
}
