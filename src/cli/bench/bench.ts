import type { loadFlags, rateFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { endpointOf } from './endpoint.js';
import { join } from 'node:path';
import type { Workload } from '../../bench/load/load.js';
import { runMessageBench } from '../../bench/load/messages.js';
import { runMintBench } from '../../bench/load/mint.js';
import type { SearchPlace } from '../../bench/search.js';
import { badFindings, formatFindings } from '../../bench/check.js';
import type { BenchReport } from '../../bench/report.js';
import { nodeData } from '../../stack/layout.js';
import type { Stack } from '../../stack/places/locate.js';
import type { HeadersOf } from '../../client/headers.js';
import { stackStatus, type StackStatus } from '../../stack/status.js';
import { readToken } from '../../stack/keys/tokens.js';
import { textOf } from '../../wire/json/json.js';
import { nearestHint } from '../../wire/lists/query.js';
import { durationMs, ratePerSecond } from '../duration.js';
import { checkReportFile, writeReport } from './report-file.js';
import { CliError } from '../errors/exit.js';
import { type Output, result } from '../terminal/output.js';
import { openRunningStack, openTarget, type PartyNode, type CommandContext, type Target } from '../requests/target.js';
import { plural, sizeOf } from '../terminal/text.js';
import { reportLines, type ReportRow } from './report.js';

export type LoadFlags = FlagsOf<typeof loadFlags>;

/**
 * `stack bench broadcast`, `private`, `unpinned` and `mixed`.
 *
 * @throws CliError UNHEALTHY for invalid figures or a failed check
 */
export async function benchMessages(workload: Workload, flags: LoadFlags, context: CommandContext): Promise<void> {
  const measuredMs = measuredDuration(flags);
  const warmupMs = durationMs(flags.warmup, '--warmup');
  const { rate, maxLatencyMs } = limitsOf(flags);
  await checkReportFile(flags.out);
  const target = await openTarget(flags, context);
  const parties = partiesIn(target, flags.parties, workload === 'broadcast' ? 1 : 2);
  const stack = target.stack === undefined ? undefined : await openRunningStack(flags, context);
  const status = stack === undefined ? undefined : await stackStatus(stack);
  const report = await runMessageBench({
    workload,
    parties: parties.map((party) => ({ ...endpointOf(party), namespace: target.namespace })),
    maxLatencyMs,
    chainUrl: urlOf(status, 'chain'),
    storeUrl: urlOf(status, 'store'),
    processes: processesOf(status),
    rate,
    durationMs: measuredMs,
    warmupMs,
    sizeBytes: flags.size,
    topics: flags.topics,
    openSocket: target.openSocket,
    agentOf: target.agentOf,
    headersOf: await headersFor(target.headersOf, stack, status),
    places: stack === undefined ? [] : placesOf(stack),
    onProgress: (sentence) => void context.output.note(`${sentence} …`),
  });
  await printReport(report, flags, context);
}

export type RateFlags = FlagsOf<typeof rateFlags>;

/** `stack bench mint`. @throws CliError as `benchMessages` */
export async function benchMint(flags: RateFlags, context: CommandContext): Promise<void> {
  const measuredMs = measuredDuration(flags);
  const warmupMs = durationMs(flags.warmup, '--warmup');
  const { rate, maxLatencyMs } = limitsOf(flags);
  await checkReportFile(flags.out);
  const target = await openTarget(flags, context);
  const parties = partiesIn(target, flags.parties, 1);
  const status = target.stack === undefined ? undefined : await stackStatus(await openRunningStack(flags, context));
  const report = await runMintBench({
    parties: parties.map(({ name, url }) => ({ name, url })),
    rate,
    maxLatencyMs,
    durationMs: measuredMs,
    warmupMs,
    processes: processesOf(status),
    openSocket: target.openSocket,
    agentOf: target.agentOf,
    headersOf: target.headersOf,
    onProgress: (sentence) => void context.output.note(`${sentence} …`),
  });
  await printReport(report, flags, context);
}

function limitsOf({ rate, slo }: Pick<LoadFlags, 'rate' | 'slo'>) {
  return {
    rate: rate === undefined ? undefined : ratePerSecond(rate),
    maxLatencyMs: slo === undefined ? undefined : durationMs(slo, '--slo'),
  };
}

/** The parties that take part. @throws CliError NOT_FOUND, USAGE */
function partiesIn({ parties }: Target, names: string | undefined, atLeast: number): readonly PartyNode[] {
  const chosen =
    names === undefined
      ? parties
      : [...new Set(names.split(','))].map((name) => {
          const found = parties.find((party) => party.name === name);
          const known = parties.map((party) => party.name);
          if (found === undefined)
            throw new CliError('NOT_FOUND', `--parties: no "${name}"${nearestHint(name, known)}`);
          return found;
        });
  if (chosen.length >= atLeast) return chosen;
  throw new CliError('USAGE', `This benchmark needs ${plural(atLeast, 'party', 'parties')}, not ${chosen.length}.`);
}

/** The measured duration. @throws CliError USAGE for zero, in which nothing can be measured */
function measuredDuration({ duration }: Pick<LoadFlags, 'duration'>): number {
  const measuredMs = durationMs(duration, '--duration');
  if (measuredMs > 0) return measuredMs;
  throw new CliError('USAGE', `--duration must be more than 0, not "${duration}".`, {
    hint: 'Figures settle after a few seconds: --duration 10s',
  });
}

async function printReport(
  report: BenchReport,
  flags: { readonly out?: string | undefined },
  { output }: CommandContext,
): Promise<void> {
  await writeReport(flags.out, report);
  if (output.isJson) await output.json(textOf(result({ ...report })));
  else if (output.isQuiet) await output.line(String(report.confirmedPerSecond));
  else await output.line(reportText(report, output));
  if (report.verdict === 'ok' && report.voidReasons.length === 0) return;
  throw new CliError('UNHEALTHY', `The run does not count: ${report.voidReasons.join('; ')}.`, {
    isPrinted: !output.isQuiet,
  });
}

/** The places that are searched for private data: data and logs of each party, and the services that all share. */
function placesOf({ layout, settings }: Stack): SearchPlace[] {
  const parties = settings.parties.flatMap(({ name }) => [
    { place: `${name}/data`, party: name, path: nodeData(layout, name) },
    { place: `${name}/log`, party: name, path: join(layout.logs, `${name}.ndjson`) },
  ]);
  const shared = [
    { place: 'store', party: null, path: layout.storeData },
    { place: 'chain', party: null, path: layout.chainData },
  ];
  return [...parties, ...shared];
}

function urlOf(status: StackStatus | undefined, service: string): string | undefined {
  return status?.services.find(({ name }) => name === service)?.url ?? undefined;
}

function isRunning(status: StackStatus | undefined, service: string): boolean {
  return status?.services.some(({ name, pid }) => name === service && pid !== null) ?? false;
}

/** Returns the headers for nodes and, in a stack with credentials, for chain and store. */
async function headersFor(
  headersOf: HeadersOf,
  stack: Stack | undefined,
  status: StackStatus | undefined,
): Promise<HeadersOf> {
  if (stack?.settings.auth.enabled !== true) return headersOf;
  const services = await Promise.all(
    ['chain', 'store'].map(async (name) => ({
      // The port of a service that is not running may belong to another program, so no token is sent there.
      origin: isRunning(status, name) ? urlOf(status, name) : undefined,
      token: await readToken(stack.layout, name),
    })),
  );
  return (url) => {
    const called = services.find(
      ({ origin }) => origin !== undefined && new URL(origin).origin === new URL(url).origin,
    );
    return called?.token === undefined ? headersOf(url) : { authorization: `Bearer ${called.token}` };
  };
}

function processesOf(status: StackStatus | undefined): { name: string; pid: number }[] {
  return (status?.services ?? []).flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }]));
}

/** The figures, then the verdict. `--verbose` adds the state of the load generator and the machine. */
export function reportText(report: BenchReport, { isVerbose, out }: Pick<Output, 'isVerbose' | 'out'>): string {
  const { latencyMs, acceptMs, driver, machine, processes } = report;
  const isMint = report.workload === 'mint';
  const noun = isMint ? 'mints' : 'messages';
  const kind = isMint ? plural(report.topics, 'pool') : `${report.sizeBytes} B each, ${plural(report.topics, 'topic')}`;
  const batch = report.messagesPerBatch === null ? '' : `, ${report.messagesPerBatch.toFixed(1)} per batch`;
  const confirmed = `${Math.round(report.confirmedPerSecond)} ${noun}/s`;
  const rows: ReportRow[] = [
    ['load', `${Math.round(report.offeredPerSecond)} ${noun}/s for ${report.durationMs / 1_000} s, ${kind}`],
    [
      isMint ? 'recorded' : 'confirmed',
      `${confirmed} by every recipient (${report.confirmed} of ${report.count}${batch})`,
    ],
    ['accepted', spread(acceptMs)],
    ['latency', spread(latencyMs)],
    ['CPU', processes.map(({ name, cpuSeconds }) => `${name} ${cpuSeconds?.toFixed(1) ?? '?'} s`).join(', ')],
    ['memory', processes.map(({ name, peakPssBytes }) => `${name} ${sizeText(peakPssBytes)}`).join(', ')],
  ];
  if (isVerbose) {
    const [late, lag] = [driver.latenessP99Ms, driver.eventLoopLagP99Ms].map(milliseconds);
    rows.push(['generator', `99th percentile: ${late} behind schedule, event loop blocked for ${lag}`]);
    rows.push(['machine', `${machine.cpu.trim()} × ${machine.cpus}, node ${machine.node}`]);
  }
  const isGood = report.verdict === 'ok' && report.voidReasons.length === 0;
  const proofs = badFindings(report.findings, report.verdict);
  const findings = [...report.voidReasons, ...(proofs.length === 0 ? [] : formatFindings(proofs).split('\n'))];
  return reportLines(rows, isGood, findings, out);
}

function spread({ count, p50, p95, p99, max }: BenchReport['latencyMs']): string {
  if (count === 0) return '-';
  const named = [
    ['p50', p50],
    ['p95', p95],
    ['p99', p99],
    ['max', max],
  ] as const;
  return named.map(([name, value]) => `${name} ${milliseconds(value)}`).join('   ');
}

function milliseconds(value: number): string {
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
}

function sizeText(bytes: number | null): string {
  return bytes === null ? '?' : sizeOf(bytes);
}
