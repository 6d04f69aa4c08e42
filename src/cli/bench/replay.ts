import type { replayFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { type ReplayReport, runReplayBench } from '../../bench/replay.js';
import { stackStatus } from '../../stack/status.js';
import { textOf } from '../../wire/json/json.js';
import { benchReportText, type ReportRow } from './report.js';
import { checkReportFile, writeReport } from './report-file.js';
import { CliError } from '../errors/exit.js';
import { type Output, result } from '../terminal/output.js';
import { openRunningStack, openTarget, type CommandContext } from '../requests/target.js';

export type ReplayFlags = FlagsOf<typeof replayFlags>;

/** `stack bench replay`. @throws CliError UNHEALTHY if the checker finds a violation */
export async function benchReplay(flags: ReplayFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const { events, repeats, 'read-ahead': readAhead } = flags;
  await checkReportFile(flags.out);
  const { party, stack, openSocket, headersOf, agentOf } = await openTarget(flags, context);
  const status = stack === undefined ? undefined : await stackStatus(await openRunningStack(flags, context));
  const processes = (status?.services ?? []).flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }]));
  const report = await runReplayBench({
    party: { name: party.name, url: party.url },
    events,
    readAhead,
    repeats,
    openSocket,
    headersOf,
    agentOf,
    processes: processes.filter(({ name }) => name === party.name),
    onProgress: (sentence) => void output.note(`${sentence} …`),
  });
  await writeReport(flags.out, report);
  if (output.isJson) await output.json(textOf(result({ ...report })));
  else if (output.isQuiet) await output.line(String(report.medianPerSecond));
  else await output.line(reportText(report, output));
  if (report.verdict === 'ok') return;
  throw new CliError('UNHEALTHY', `The run does not count: the checker says ${report.verdict}.`, { isPrinted: true });
}

function reportText(report: ReplayReport, output: Output): string {
  const rows: readonly ReportRow[] = [
    ['events', `${report.events} at ${report.party}, read ahead ${report.readAhead}, each acknowledged`],
    ['replay', `${report.medianPerSecond}/s   worst ${report.worstPerSecond}/s of ${report.runs.length}`],
  ];
  return benchReportText(rows, report, output);
}
