import { formatFindings } from '../../bench/check.js';
import type { ReplayReport } from '../../bench/replay.js';
import type { Output } from '../output.js';
import { safe, sizeOf } from '../text.js';

type Circumstances = Pick<ReplayReport, 'processes' | 'machine' | 'verdict' | 'findings'>;
/** A name and what there is to say under it. */
export type ReportRow = readonly [name: string, text: string];

/** What a benchmark has measured, then what it cost, where, and whether it counts. */
export function benchReportText(measured: readonly ReportRow[], report: Circumstances, { out }: Output): string {
  const rows: readonly ReportRow[] = [
    ...measured,
    ...report.processes.map(({ name, cpuSeconds, peakRssBytes }): ReportRow => [
      name,
      `${cpuSeconds?.toFixed(1) ?? '?'} s CPU   ${peakRssBytes === null ? '?' : sizeOf(peakRssBytes)} resident at most`,
    ]),
    ['machine', `${report.machine.cpu.trim()} × ${report.machine.cpus}, node ${report.machine.node}`],
  ];
  const isGood = report.verdict === 'ok';
  const verdict = isGood
    ? out.paint('green', '✓ the checker found nothing wrong')
    : out.paint('red', '✗ does not count');
  const lines = rows.map(([name, text]) => `${out.paint('dim', name.padEnd(10))} ${safe(text)}`);
  const findings = isGood ? [] : formatFindings(report.findings).split('\n');
  return [...lines, verdict, ...findings.map((finding) => `  ${safe(finding)}`)].join('\n');
}
