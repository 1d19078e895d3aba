/** Every audit. Adding one is a folder beside this and a line here. */

import { Registry } from "../core/registry.ts";
import type { AnyAudit } from "./audit.ts";
import { componentsAudit } from "./components/audit.ts";
import { dataBiasAudit } from "./data-bias/audit.ts";
import { discoverAudit } from "./discover/audit.ts";
import { embeddingAudit } from "./embedding/audit.ts";
import { headsAudit } from "./heads/audit.ts";
import { knowsAudit } from "./knows/audit.ts";
import { lineAudit } from "./line/audit.ts";
import { looksAudit } from "./looks/audit.ts";
import { modelAudit } from "./model/audit.ts";
import { poolAudit } from "./pool/audit.ts";
import { predictionsAudit } from "./predictions/audit.ts";

export const audits = new Registry<AnyAudit>(
  "audit",
  [
    predictionsAudit,
    dataBiasAudit,
    discoverAudit,
    lineAudit,
    embeddingAudit,
    knowsAudit,
    headsAudit,
    looksAudit,
    componentsAudit,
    poolAudit,
    modelAudit,
  ],
  { plugins: "audits" },
);
