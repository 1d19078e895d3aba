/** What `data bias` needs of the audits, loaded when it is called. */

export { answerOf } from "../audits/ask.ts";
export { dataBiasAudit } from "../audits/data-bias/audit.ts";
export { classTable } from "../audits/data-bias/show.ts";
export { openSubject } from "../audits/open-subject.ts";
