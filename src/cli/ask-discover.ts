/** What `data discover` needs of the audits, loaded when it is called. */

export { answerOf } from "../audits/ask.ts";
export { discoverAudit } from "../audits/discover/audit.ts";
export { openSubject } from "../audits/open-subject.ts";
