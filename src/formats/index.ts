/** Every storage format. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { folder } from "./folder.ts";
import { npz } from "./npz.ts";
import { parquet } from "./parquet.ts";
import { urbanCars } from "./urban-cars.ts";
import { webdataset } from "./webdataset.ts";

export const formats = new Registry("format", [folder, parquet, webdataset, npz, urbanCars]);

/** Those that take any dataset. */
export const generalFormats = formats.entries.filter(({ accept }) => accept === undefined);
