/** Pages as a browser lays them out: on a phone nothing sticks out, on paper headings and short tables stay whole. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { encodePng } from "../src/images/png.ts";
import { gallery, htmlPage, htmlTable, paragraph } from "../src/reports/html-page.ts";
import { type OpenedBrowser, openBrowser } from "./helpers/browser.ts";

const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ cells: [`row ${i}`, "1"] }));
const columns = [{ title: "name" }, { title: "count", numeric: true }];
const picture = { data: new Uint8Array(144 * 192 * 3), height: 192, width: 144, channels: 3 };
const long = `/home/somebody/${"photographs-of-last-year/".repeat(4)}accuracies.csv`;

let opened: OpenedBrowser;
beforeAll(async () => {
  opened = await openBrowser();
}, 60_000);
afterAll(async () => {
  await opened.browser?.close();
});

test("phone and paper", async ({ skip }) => {
  if (opened.browser === undefined) return skip(opened.reason);
  const page = await opened.browser.newPage({ viewport: { width: 400, height: 800 } });
  const pictures = [
    { png: encodePng(picture), width: 144, height: 192, alt: "a", label: "paper/DSC_4000.jpg" },
  ];
  const tiny = ["2020_01_28_Vietnam_coronavirus.jpeg", "plant/IMG_1029.jpeg", "DSC04000.tiff"].map(
    (label) => ({
      png: encodePng(picture),
      width: 56,
      height: 56,
      alt: "b",
      label,
    }),
  );
  const body = [paragraph("p"), htmlTable("", columns, rows(12)), htmlTable("", columns, rows(40))];
  await page.setContent(
    await htmlPage({
      title: "t",
      lead: "l",
      sections: [{ heading: long, body: [...body, gallery("g", pictures), gallery("t", tiny)] }],
    }),
  );
  // A text, since tests know no browser's types.
  const measured = () =>
    page.evaluate(`({
      sticksOut: document.documentElement.scrollWidth - window.innerWidth,
      tables: [...document.querySelectorAll("figure.table")].map((one) => getComputedStyle(one).breakInside),
      heading: getComputedStyle(document.querySelector("h2")).breakInside,
      picture: document.querySelector("img").getBoundingClientRect().width,
      endings: [...document.querySelectorAll("li .whole")].map((one) => [one.textContent, one.getClientRects().length]),
    })`);
  const phone = (await measured()) as { sticksOut: number; picture: number; endings: unknown };
  expect(phone.endings).toEqual([
    ["DSC_4000.jpg", 1],
    ["irus.jpeg", 1],
    ["1029.jpeg", 1],
    ["4000.tiff", 1],
  ]);
  expect(phone.sticksOut).toBe(0);
  expect(phone.picture).toBeGreaterThan(100);
  await page.emulateMedia({ media: "print" });
  expect(await measured()).toMatchObject({ tables: ["avoid", "auto"], heading: "avoid" });
});
