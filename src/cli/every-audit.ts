/** All audits and how they are asked, for commands that load them when they are called. */

export { answerOf } from "../audits/ask.ts";
export { audits } from "../audits/index.ts";
export { openSubject } from "../audits/open-subject.ts";
