/** What the parent and the processes that make a pool's parts say to each other. */

import type { ErrorParts } from "../../core/errors.ts";
import type { PluginCode } from "../../plugins/plugin-code.ts";
import type { PoolSpec } from "./pool-spec.ts";
import type { PoolJob } from "./pool-workshop.ts";

export type ToPoolProcess =
  | { type: "open"; spec: PoolSpec; out: string; id: string; plugins: readonly PluginCode[] }
  | { type: "make"; job: PoolJob };

export type FromPoolProcess =
  | { type: "images"; done: number; total: number }
  | { type: "network"; kind: string; images: number }
  /** Ready for the next job: opened, or the last one is made; with what its process has used since it last said so. */
  | { type: "free"; coreSeconds: number }
  | { type: "failed"; parts?: Omit<ErrorParts, "cause">; stack?: string };
