/** The smoke studies: findings and every measured number; of tables and figures, made from these, a digest a row. */

import { digest } from "../digest.mjs";

const studyNames = ["biased-mnist", "well-specified"];

export async function studies({ checkout, folder }) {
  const bits = {};
  for (const name of studyNames) {
    const line = `study run ${name} --preset smoke --out study-${name} --json --quiet`;
    const study = JSON.parse(await checkout.cuelabStandard(line, { cwd: folder }));
    bits[name] = { ...study, sections: Object.fromEntries(study.sections.map(section)) };
  }
  return { portable: {}, bits };
}

const short = (value) => digest(JSON.stringify(value));

function section({ name, heading, text, tables, figures, ...rest }) {
  return [
    name,
    {
      text: short([heading, text]),
      tables: Object.fromEntries(
        tables.map(({ name, rows, ...about }) => [name, [short(about), ...rows.map(short)]]),
      ),
      figures: short(figures),
      rest: short(rest),
    },
  ];
}
