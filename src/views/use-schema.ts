/** A view as people write it: its name, or its name and settings. */

import { z } from "zod";
import type { ViewUse } from "./view.ts";

export const viewUseSchema = z.union([
  z.string().transform((view): ViewUse => ({ view })),
  z.strictObject({
    view: z.string(),
    with: z.record(z.string(), z.unknown()).exactOptional(),
    version: z.number().int().exactOptional(),
  }),
]);
