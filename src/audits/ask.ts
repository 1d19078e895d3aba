/** A question put to an audit in words, and its answer in every form. */

import type { Section } from "../core/section.ts";
import { resolveSettings } from "../core/settings.ts";
import type { AnyAudit, Audit, AuditHooks, AuditSubject, AuditSubjects } from "./audit.ts";

export interface Answered {
  audit: Pick<AnyAudit, "name" | "title" | "description" | "paper">;
  /** In a few plain sentences; none where the audit has no words for it. */
  inShort: () => readonly string[];
  /** In words, tables and figures. */
  sections: () => Section[];
  /** For programs. */
  data: () => object;
  /** What is written beside it. */
  files: () => Readonly<Record<string, Uint8Array>>;
}

/** The question is checked first: what it does not have is an error that names the nearest that it has. */
export async function answerOf<Of extends AuditSubject, Answer extends object>(
  audit: Audit<Of, never, Answer> | AnyAudit,
  question: unknown,
  subject: AuditSubjects[Of],
  hooks: AuditHooks = {},
): Promise<Answered & { answer: Answer }> {
  const checked = resolveSettings(audit.question, question);
  const { ask, inShort, show, data, files } = audit as unknown as Audit<Of, never, Answer>;
  const answer = await ask(checked as never, subject, hooks);
  return {
    audit,
    answer,
    inShort: () => inShort?.(answer) ?? [],
    sections: () => show(answer),
    data: () => data?.(answer) ?? answer,
    files: () => files?.(answer) ?? {},
  };
}
