import { badFindings, formatFindings } from '../../bench/check.js';
import type { ReplayReport } from '../../bench/replay.js';
import type { Output } from '../terminal/output.js';
import { safe, sizeOf } from '../terminal/text.js';

type RunFacts = Pick<ReplayReport, 'processes' | 'machine' | 'verdict' | 'findings'>;
export type ReportRow = readonly [name: string, text: string];

/** Formats the results of a benchmark, its cost, with `--verbose` the machine, and the verdict. */
export function benchReportText(measured: readonly ReportRow[], report: RunFacts, { isVerbose, out }: Output): string {
  const { processes, machine } = report;
  const rows: readonly ReportRow[] = [
    ...measured,
    ['CPU', processes.map(({ name, cpuSeconds }) => `${name} ${cpuSeconds?.toFixed(1) ?? '?'} s`).join(', ')],
    ['memory', processes.map(({ name, peakRssBytes }) => `${name} ${sizeText(peakRssBytes)}`).join(', ')],
    ...(isVerbose ? [['machine', `${machine.cpu.trim()} × ${machine.cpus}, node ${machine.node}`] as const] : []),
  ];
  const isGood = report.verdict === 'ok';
  const proofs = badFindings(report.findings, report.verdict);
  return reportLines(rows, isGood, isGood ? [] : formatFindings(proofs).split('\n'), out);
}

/** The rows of a report, then the verdict, then the findings of the checker. */
export function reportLines(
  rows: readonly ReportRow[],
  isGood: boolean,
  findings: readonly string[],
  { paint }: Output['out'],
): string {
  const verdict = isGood
    ? paint('green', '✓ checked: nothing lost, duplicated or out of order')
    : paint('red', '✗ These figures do not count:');
  const lines = rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${paint('dim', name.padEnd(10))} ${safe(text)}`);
  return [...lines, verdict, ...findings.map((finding) => `  ${safe(finding)}`)].join('\n');
}

function sizeText(bytes: number | null): string {
  return bytes === null ? '?' : sizeOf(bytes);
}
