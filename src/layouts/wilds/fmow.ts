/** FMoW-WILDS: satellite images of 62 kinds of places. Training is before 2013, validation before 2016, test after. */

import { dirname, join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import { csvRows } from "../../tables/csv-rows.ts";
import type { WildsLayout } from "./layout.ts";

/** In the order of WILDS' labels. */
const categories =
  `airport airport_hangar airport_terminal amusement_park aquaculture archaeological_site barn border_checkpoint
  burial_site car_dealership construction_site crop_field dam debris_or_rubble educational_institution
  electric_substation factory_or_powerplant fire_station flooded_road fountain gas_station golf_course
  ground_transportation_station helipad hospital impoverished_settlement interchange lake_or_pond lighthouse
  military_facility multi-unit_residential nuclear_powerplant office_building oil_or_gas_facility park
  parking_lot_or_garage place_of_worship police_station port prison race_track railway_bridge recreational_facility
  road_bridge runway shipyard shopping_mall single-unit_residential smokestack solar_farm space_facility stadium
  storage_tank surface_mine swimming_pool toll_booth tower tunnel_opening waste_disposal water_treatment_facility
  wind_farm zoo`.split(/\s+/);

const placeOf = new Map(categories.map((name, i) => [name, String(i)]));

/** First years of validation and of test. */
const [validationYear, testYear] = [2013, 2016];

const countriesName = "country_code_mapping.csv";

export const fmow: WildsLayout = {
  title: "FMoW",
  table: "rgb_metadata.csv",
  columns: ["split", "category", "country_code", "timestamp"],
  classNames: categories,
  attributes: ["region", "year"],
  environment: "region",
  shiftedSplits: ["val", "test"],
  groups: ["region"],
  open: async (table) => {
    const regions = await regionsOf(join(dirname(table), countriesName));
    return (cell, row) => {
      const category = cell("category");
      const label = placeOf.get(category);
      if (label === undefined) throw unknownCategory(category, `${table}, row ${row + 1}`);
      const year = yearOf(cell("timestamp"), `${table}, row ${row + 1}`);
      const split = officialSplit(cell("split"), year);
      if (split === undefined) return undefined;
      return {
        image: `images/rgb_img_${row}.png`,
        label,
        split,
        values: [regions.get(cell("country_code")) ?? "Other", String(year)],
      };
    };
  },
};

/** What FMoW calls train is used up to 2012; of its other parts also what was taken later, each for one purpose. */
function officialSplit(part: string, year: number): string | undefined {
  const before = year < validationYear;
  if (part === "train") return before ? "train" : undefined;
  if (part === "val") return before ? "id_val" : year < testYear ? "val" : undefined;
  if (part === "test") return before ? "id_test" : year >= testYear ? "test" : undefined;
  return undefined;
}

/** Times are in UTC, as the years that WILDS cuts at. */
function yearOf(timestamp: string, where: string): number {
  const year = /^(\d{4})-\d{2}-\d{2}/.exec(timestamp)?.[1];
  if (year !== undefined) return Number(year);
  throw new CuelabError({
    kind: "input",
    what: 'column "timestamp" holds no date',
    where,
    expected: "a time such as 2015-06-30T12:00:00Z",
    got: JSON.stringify(timestamp),
  });
}

async function regionsOf(path: string): Promise<Map<string, string>> {
  let [country, region] = [-1, -1];
  const regions = new Map<string, string>();
  for await (const { cells: row } of csvRows(path, (names) => {
    [country, region] = [names.indexOf("alpha-3"), names.indexOf("region")];
    if (country >= 0 && region >= 0) return;
    throw new CuelabError({
      kind: "input",
      what: "the table of countries lacks a column",
      where: path,
      expected: "columns alpha-3 and region",
      got: `columns ${names.join(", ")}`,
    });
  })) {
    if (row[region] !== "") regions.set(row[country]!, row[region]!);
  }
  return regions;
}

function unknownCategory(category: string, where: string): CuelabError {
  const close = nearest(category, categories);
  return new CuelabError({
    kind: "input",
    what: 'column "category" holds what FMoW does not have',
    where,
    expected: `one of ${categories.length} categories, such as ${categories[0]}`,
    got: JSON.stringify(category),
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
