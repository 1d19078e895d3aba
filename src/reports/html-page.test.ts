import { expect, test } from "vitest";
import { html } from "../core/markup.ts";
import { bulletList, figure, gallery, htmlPage, htmlTable, paragraph } from "./html-page.ts";

const evil = `<script>alert("x")</script>&'`;
const escaped = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;";

test("whatever is shown stays text, in content and in attributes", async () => {
  const page = await htmlPage({
    title: evil,
    lead: evil,
    sections: [
      {
        heading: evil,
        body: [
          paragraph(evil),
          bulletList([evil]),
          htmlTable(evil, [{ title: evil }, { title: evil, numeric: true }], [{ cells: [evil, evil] }]),
          gallery(evil, [{ png: Buffer.from("png"), alt: evil, label: evil, width: 1, height: 1 }]),
          figure(evil, "<svg></svg>"),
        ],
      },
    ],
  });
  expect(page).not.toContain("<script");
  expect(page).not.toContain('alert("x")');
  // Title twice, lead, heading, paragraph, item, caption, two columns, two cells, alt, two captions, figure's caption.
  expect(page.replaceAll("<wbr>", "").split(escaped)).toHaveLength(16);
  expect(page).toContain(`alt="${escaped}"`);
});

test("markup within markup is kept, and lists are joined", () => {
  expect(html`<p>${html`<b>${"a<b"}</b>`}${["x", html`<i>y</i>`, 3]}</p>`.text).toBe(
    "<p><b>a&lt;b</b>x<i>y</i>3</p>",
  );
});

test("equal headings get places of their own; long pages list them", async () => {
  const heading = "What was done?";
  const few = await htmlPage({ title: "t", lead: "l", sections: [1, 2].map(() => ({ heading, body: [] })) });
  expect([...few.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
    "what-was-done",
    "what-was-done-2",
  ]);
  expect(few).not.toContain("<nav");
  const many = await htmlPage({
    title: "t",
    lead: "l",
    sections: Array.from({ length: 8 }, (_, i) => ({ heading: `Part ${i}`, body: [] })),
  });
  expect(many.match(/<li><a href="#part-\d">/g)).toHaveLength(8);
});

test("rows and columns of a table have headers, numbers their own place", () => {
  const table = htmlTable(
    "c",
    [{ title: "cue" }, { title: "gap", numeric: true }],
    [{ cells: ["colour", "3"], marked: true }],
  ).text;
  expect(table).toContain('<th scope="col">cue</th><th scope="col" class="number">gap</th>');
  expect(table).toContain('<tr class="marked"><th scope="row">colour</th><td class="number">3</td></tr>');
});

test("ranges and words with hyphens stay on a line, long texts get room", () => {
  const cells = [
    "env-0",
    "-23.2 – -8.1%",
    "0.80 to 0.86",
    "69.0 ± 2.1 (2)",
    "5 of 8",
    "16 / 32",
    "Table 10",
    "regimes, repeated-points",
    "two words",
  ];
  const table = htmlTable(
    "",
    cells.map(() => ({ title: "t" })),
    [{ cells }],
  ).text;
  const kinds = [...table.matchAll(/<t[dh](?: scope="row")?(?: class="(\w+)")?>[^<]/g)].map(
    ([, kind]) => kind,
  );
  expect(kinds).toEqual([...Array(7).fill("whole"), "words", undefined]);
});

test("phones show a chart no larger than it was drawn", () => {
  expect(figure("c", '<svg class="marks" width="250" height="90"></svg>').text).toContain("--drawn:250px");
});
