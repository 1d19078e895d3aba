/** Where series are called by colours, each is drawn in its own: a legend in which yellow is blue misleads. */

/** As light as can still be seen on white, and as dark as can still be told apart. */
const hues: Readonly<Record<string, string>> = {
  red: "#d62728",
  orange: "#f28e1c",
  brown: "#8c564b",
  yellow: "#d9b800",
  lime: "#8fc31f",
  chartreuse: "#8fd400",
  olive: "#808000",
  green: "#2ca02c",
  "spring green": "#00c76a",
  teal: "#008b8b",
  cyan: "#17becf",
  turquoise: "#30c5b4",
  azure: "#0a84ff",
  blue: "#1f3fd0",
  indigo: "#4b3fb5",
  violet: "#8a3ffc",
  purple: "#7b2d8e",
  magenta: "#d6279e",
  rose: "#ff2d6f",
  pink: "#f277b6",
  grey: "#7f7f7f",
  gray: "#7f7f7f",
  black: "#111111",
  white: "#d8d8d8",
};

/** One a name; undefined unless every name is a colour's, and no two come out alike. */
export function coloursNamed(names: readonly string[]): string[] | undefined {
  const colours = names.map(colourNamed);
  const known = colours.filter((colour) => colour !== undefined);
  return known.length === names.length && new Set(known).size === names.length ? known : undefined;
}

/** Such as "blue", "dark violet", "light-green" and "#0072b2". */
function colourNamed(name: string): string | undefined {
  const word = name.toLowerCase().replaceAll(/[\s_-]+/g, " ");
  if (/^#[0-9a-f]{6}$/.test(word)) return word;
  const [, shade = "", hueName = ""] = /^(dark |deep |light |pale )?(.*)$/.exec(word) ?? [];
  const hue = Object.hasOwn(hues, hueName) ? hues[hueName]! : undefined;
  if (hue === undefined || shade === "") return hue;
  return mixed(hue, shade === "dark " || shade === "deep " ? 0 : 255, 0.55);
}

/** Towards black or white. */
function mixed(colour: string, towards: number, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16);
    return Math.round(part * share + towards * (1 - share))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
