import type { blobFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { endpointOf } from './endpoint.js';
import { type BlobReport, runBlobBench } from '../../bench/load/blob.js';
import { stackStatus } from '../../stack/status.js';
import { textOf } from '../../wire/json/json.js';
import { benchReportText, type ReportRow } from './report.js';
import { checkReportFile, writeReport } from './report-file.js';
import { CliError } from '../errors/exit.js';
import { type Output, result } from '../terminal/output.js';
import { openRunningStack, openTarget, type CommandContext } from '../requests/target.js';
import { sizeOf } from '../terminal/text.js';

export type BlobFlags = FlagsOf<typeof blobFlags>;

/** `stack bench blob`. @throws CliError UNHEALTHY if the checker finds a violation */
export async function benchBlob(flags: BlobFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const sizeBytes = bytesOf(flags.size);
  await checkReportFile(flags.out);
  const target = await openTarget(flags, context);
  if (target.parties.length < 2) {
    throw new CliError('USAGE', 'This benchmark needs at least two parties, and a third to check privacy.');
  }
  const status = target.stack === undefined ? undefined : await stackStatus(await openRunningStack(flags, context));
  const processes = (status?.services ?? []).flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }]));
  const report = await runBlobBench({
    parties: target.parties.map(endpointOf),
    sizeBytes,
    openSocket: target.openSocket,
    headersOf: target.headersOf,
    agentOf: target.agentOf,
    processes,
    onProgress: (sentence) => void output.note(`${sentence} …`),
  });
  await writeReport(flags.out, report);
  if (output.isJson) await output.json(textOf(result({ ...report })));
  else if (output.isQuiet) await output.line(String(report.megabytesPerSecond));
  else await output.line(reportText(report, output));
  if (report.verdict === 'ok') return;
  throw new CliError('UNHEALTHY', `The run does not count: the checker says ${report.verdict}.`, { isPrinted: true });
}

const units = new Map([
  ['', 1],
  ['k', 1_000],
  ['m', 1_000_000],
  ['g', 1_000_000_000],
  ['ki', 1_024],
  ['mi', 1_048_576],
  ['gi', 1_073_741_824],
]);

/** Parses `200MB`, `1GiB` or bare bytes. @throws CliError USAGE */
export function bytesOf(text: string): number {
  const match = /^(\d{1,15})\s?(|[kmg]i?)b?$/i.exec(text.trim());
  const bytes = Number(match?.[1] ?? 0) * (units.get(match?.[2]?.toLowerCase() ?? '') ?? 0);
  if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
  throw new CliError('USAGE', `--size must be like 200MB, 1GiB or a number of bytes, not "${text}".`);
}

/** The row that says that privacy was not checked, which needs a third party. */
function privacyRow({ findings }: BlobReport): readonly ReportRow[] {
  const isSeen = findings.some(({ invariant, status }) => invariant === 'I8' && status !== 'NO EVIDENCE');
  return isSeen ? [] : [['privacy', 'not checked: this needs a third party']];
}

function reportText(report: BlobReport, output: Output): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  const rows: readonly ReportRow[] = [
    ['file', `${sizeOf(report.sizeBytes)}, sent to one party`],
    ['upload', seconds(report.uploadMs)],
    ['transfer', `${seconds(report.transferMs)} to the event at the receiver`],
    ['total', `${seconds(report.totalMs)}   ${report.megabytesPerSecond} MB/s`],
    ...privacyRow(report),
  ];
  return benchReportText(rows, report, output);
}
