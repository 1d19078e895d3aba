/** How pages look. Text, grid and paper of charts follow the page; in the dark their series are lighter. */

import { chartInk, densityName } from "../charts/style.ts";

const light = {
  paper: chartInk.paper,
  raised: "#f6f7fa",
  text: chartInk.text,
  quiet: chartInk.quiet,
  line: "#dcdfe7",
  marked: "#eaf2fb",
  shade: "#c3cad8",
  accent: "#005a8f",
};

const dark: typeof light = {
  paper: "#15171c",
  raised: "#1d2027",
  text: "#e8eaf0",
  quiet: "#a3a9b8",
  line: "#343945",
  marked: "#1f2c3c",
  shade: "#4b5263",
  accent: "#7cc4f5",
};

const variables = (colours: typeof light) =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(";");

/** What charts draw in the colours of paper and ink, redrawn in the page's. */
const chartRules = (
  [
    [chartInk.text, "text"],
    [chartInk.quiet, "quiet"],
    [chartInk.line, "line"],
    [chartInk.band, "marked"],
    [chartInk.paper, "paper"],
  ] as const
)
  .map(
    ([colour, name]) =>
      `.chart [fill="${colour}"]{fill:var(--${name})}.chart [stroke="${colour}"]{stroke:var(--${name})}`,
  )
  .join("\n");

/** On dark paper the darker series are hard to see; these are their lighter kin. */
const darkSeries = [
  ["#0072b2", "#4da6dd"],
  ["#d55e00", "#f0803c"],
  ["#009e73", "#35c196"],
  ["#7a5195", "#b48fd0"],
  ["#6b6f7b", "#9aa0ae"],
]
  .map(
    ([colour, lighter]) =>
      `.chart [fill="${colour}"]{fill:${lighter}}.chart [stroke="${colour}"]{stroke:${lighter}}`,
  )
  .join("\n");

/** Dark is many on white paper; on black paper light is. */
const darkDensity = `.chart .${densityName}_marks,.chart .role-legend-gradient{filter:invert(.85) hue-rotate(180deg)}`;

/** What can be pulled to the side has a shadow at the side where more of it lies: covers of paper move along with the content. */
const scrollSigns = `.scroll{overflow-x:auto;background:${[
  "linear-gradient(90deg,var(--paper) 50%,transparent) 0 0/2rem 100% local",
  "linear-gradient(270deg,var(--paper) 50%,transparent) 100% 0/2rem 100% local",
  // Not in the outermost pixel, of which a box may cover a part.
  "linear-gradient(90deg,transparent 1px,var(--shade) 1px,transparent) 0 0/.7rem 100%",
  "linear-gradient(270deg,transparent 1px,var(--shade) 1px,transparent) 100% 0/.7rem 100%",
].join()};background-repeat:no-repeat}`;

export const pageStyle = `
:root{color-scheme:light dark;${variables(light)}}
@media (prefers-color-scheme:dark){:root{${variables(dark)}}
${darkSeries}
${darkDensity}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--text);font:16px/1.55 Inter,system-ui,sans-serif}
main,footer{max-width:50rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
h1{font-size:2rem;line-height:1.2;font-weight:600;letter-spacing:-.02em;margin:0 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.3;font-weight:600;letter-spacing:-.01em;margin:2.75rem 0 .75rem;overflow-wrap:anywhere}
h3{font-size:1.05rem;font-weight:600;margin:1.75rem 0 .5rem}
p,ul,dl,pre{margin:0 0 1rem}
strong{font-weight:600}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.lead{font-size:1.125rem;color:var(--quiet)}
nav ul{columns:16rem;column-gap:2rem;padding-left:1.1rem}
li+li{margin-top:.25rem}
${scrollSigns}
figure{margin:1.5rem 0}
.table{width:fit-content;min-width:100%;max-width:min(100vw - 3rem,90rem);position:relative;left:50%;transform:translateX(-50%)}
.table figcaption{margin:0 0 .5rem;max-width:48rem}
.beside{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:0 1.5rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:400}
thead th{font-weight:600;vertical-align:bottom}
tr>:first-child{padding-left:.5rem}
.number{text-align:right}
td.number,.whole{white-space:nowrap}
.words{min-width:13.5rem}
.marked{background:var(--marked)}
.marked th{font-weight:600}
figure svg{display:block;max-width:100%;height:auto}
figcaption{color:var(--quiet);font-size:.875rem;margin-top:.5rem}
.pictures figcaption{margin:0 0 .5rem}
${chartRules}
.gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(4rem,1fr));gap:.6rem;list-style:none;padding:0;margin:0}
.gallery li{margin:0}
.gallery img{display:block;width:100%;max-width:9rem;height:auto;border-radius:3px}
.gallery li>span{display:block;color:var(--quiet);font-size:.8125rem;text-align:center;overflow-wrap:anywhere}
.photographs{grid-template-columns:repeat(auto-fill,minmax(8rem,1fr))}
.photographs img{max-width:12rem}
.photographs li>span{text-align:left}
.strips{grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr))}
.strips img{max-width:100%}
.strips li>span{text-align:left}
.finding{border-left:3px solid var(--accent);padding:.1rem 0 .1rem 1rem;margin-bottom:1.25rem}
.finding p{margin-bottom:.5rem}
.finding p:last-child{margin-bottom:0}
pre{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
code{font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:not(pre)>code{background:var(--raised);border-radius:3px;padding:.1em .3em;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.25rem;font-size:.9375rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
footer{color:var(--quiet);font-size:.875rem;padding-top:2rem;padding-bottom:2rem}
@media (max-width:40rem){
main,footer{padding:0 1rem}
header{padding-top:1.5rem}
h1{font-size:1.6rem}
.chart>svg{min-width:min(37rem,var(--drawn))}
dl{grid-template-columns:1fr;gap:0}
dd{margin-bottom:.6rem}
.gallery:not(.photographs,.strips){grid-template-columns:repeat(auto-fill,minmax(3.6rem,1fr))}
.table{max-width:100%}
.words{min-width:6.5rem}
table{font-size:.8125rem}
th,td{padding-right:.4rem}
}
@page{margin:15mm}
@page turned{size:landscape}
@media print{
body{font-size:10.5pt}
main,footer{max-width:none;padding:0}
header{padding-top:0}
figure:not(.table,:has(>.gallery)),figcaption,pre,tr,.gallery li,.finding{break-inside:avoid}
h2,h3,.table figcaption,.pictures figcaption{break-after:avoid}
h2,h3{break-inside:avoid}
.table:not(:has(tbody tr:nth-child(13))){break-inside:avoid}
.words{min-width:0}
.beside svg{max-height:78mm;width:auto}
.scroll{overflow:visible;background:none}
.table{--room:176mm;left:0;transform:none;width:100%;max-width:none}
.turned{--room:260mm}
.turned,:is(h2,h3):has(+.turned,+p+.turned),:is(h2,h3)+p:has(+.turned){page:turned}
.table table{font-size:min(9.5pt,calc(var(--room)/var(--em)))}
}
`;
