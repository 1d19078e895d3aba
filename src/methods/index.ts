/** Every mitigation method. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { erm } from "./erm.ts";

export const methods = new Registry("method", [erm]);

export * from "./method.ts";
