/** A chart for a paper: PDF with lines and letters as such, drawn by the same library as pictures of pixels are. */

import type { Chart } from "../core/section.ts";
import { canvasWithFont, fontFamilies } from "../images/font.ts";
import { chartView } from "./chart.ts";

export async function chartPdf(spec: Chart): Promise<Buffer> {
  const { PDFDocument } = await canvasWithFont();
  const { view, width, height } = await chartView(spec, { font: fontFamilies });
  const document = new PDFDocument({ title: spec.description, creator: "Cuelab" });
  const context = document.beginPage(width, height);
  await view.toCanvas(1, { externalContext: context });
  view.finalize();
  document.endPage();
  return document.close();
}
