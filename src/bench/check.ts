import { chainOrder } from './check/order.js';
import type { Evidence, Finding, Invariant, Recording } from './check/recording.js';
import {
  noDuplicate,
  noLoss,
  type Rule,
  sameAsChain,
  sameOrder,
  sameVerdict,
  senderOrder,
} from './check/rules/rules.js';
import { oneDatatype, privacy } from './check/rules/content.js';
import { sameTokens } from './check/rules/tokens.js';
import { gaplessStreams, monotone, nothingPending, sameBlocks, sameBytes } from './check/rules/at-rest.js';

interface Check {
  readonly invariant: Invariant;
  readonly title: string;
  /** Undefined if a recording cannot show a violation. */
  readonly rule?: Rule;
}

/** The invariants of docs/architecture.md §9.1, by number. */
const checks: readonly Check[] = [
  { invariant: 'I1', title: 'no loss', rule: noLoss },
  { invariant: 'I2', title: 'no duplicate', rule: noDuplicate },
  { invariant: 'I3', title: 'same order', rule: sameOrder },
  { invariant: 'I4', title: 'chain order', rule: sameAsChain },
  { invariant: 'I5', title: 'sender order', rule: senderOrder },
  { invariant: 'I6', title: 'same verdict', rule: sameVerdict },
  { invariant: 'I7', title: 'same bytes', rule: sameBytes },
  { invariant: 'I8', title: 'privacy', rule: privacy },
  { invariant: 'I9', title: 'subscriptions', rule: gaplessStreams },
  { invariant: 'I10', title: 'datatypes', rule: oneDatatype },
  { invariant: 'I11', title: 'tokens', rule: sameTokens },
  { invariant: 'I12', title: 'liveness', rule: nothingPending },
  { invariant: 'I13', title: 'isolation' },
  { invariant: 'I14', title: 'monotone', rule: monotone },
  { invariant: 'blocks', title: 'block hashes unchanged', rule: sameBlocks },
];

/**
 * Checks a recording: one finding per invariant. It shares no code with the checked programs and computes every hash
 * itself. It never reports `ok` without evidence.
 */
export function check(recording: Recording): Finding[] {
  const order = chainOrder(recording);
  return checks.map(({ invariant, title, rule }) => {
    const evidence: Evidence = { count: 0, faults: [] };
    rule?.(recording, order, evidence);
    const [proof = null] = evidence.faults;
    const status = proof !== null ? 'VIOLATED' : evidence.count > 0 ? 'ok' : 'NO EVIDENCE';
    return { invariant, title, status, evidence: evidence.count, proof };
  });
}

/** 0 = all required invariants are ok, 1 = a violation, 2 = a required invariant lacks evidence. */
export function exitCodeOf(findings: readonly Finding[], required: readonly Invariant[]): 0 | 1 | 2 {
  if (findings.some(({ status }) => status === 'VIOLATED')) return 1;
  const isOk = (invariant: Invariant): boolean =>
    findings.some((finding) => finding.invariant === invariant && finding.status === 'ok');
  return required.every(isOk) ? 0 : 2;
}

export type Verdict = 'ok' | 'VIOLATED' | 'NO EVIDENCE';

/** The verdict on a run, for a report: `exitCodeOf` as a word. */
export function verdictOf(findings: readonly Finding[], required: readonly Invariant[]): Verdict {
  return ({ 0: 'ok', 1: 'VIOLATED', 2: 'NO EVIDENCE' } as const)[exitCodeOf(findings, required)];
}

/** The findings behind a verdict that is not ok: the violations, or the invariants without evidence. */
export function badFindings(findings: readonly Finding[], verdict: Verdict): readonly Finding[] {
  if (verdict === 'ok') return [];
  return findings.filter(({ status }) => status === verdict);
}

/** Formats a line per finding, such as `I3 same order: ok (1200)`. */
export function formatFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ invariant, title, status, evidence, proof }) => {
      const amount = status === 'NO EVIDENCE' ? '' : ` (${evidence})`;
      return `${invariant.padEnd(6)} ${title}: ${status}${amount}${proof === null ? '' : `: ${proof}`}`;
    })
    .join('\n');
}
