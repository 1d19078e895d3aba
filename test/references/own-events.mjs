/** A file of events as a run writes it, for TensorBoard to read (tensorboard_events.py). Build first: `npm run build`. */

import { writeFileSync } from "node:fs";
import { firstRecord, scalarRecord } from "../../dist/src/runs/tensorboard-events.js";
import { eventsFor } from "./events/written.mjs";

const bytes = [firstRecord(1_700_000_000.5), ...eventsFor().map(scalarRecord)];
writeFileSync(new URL("./events/events.out.tfevents.1700000000.own", import.meta.url), Buffer.concat(bytes));
