import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workload } from '../../bench/load.js';
import { runMessageBench } from '../../bench/messages.js';
import { runMintBench } from '../../bench/mint.js';
import type { SearchPlace } from '../../bench/search.js';
import { formatFindings } from '../../bench/check.js';
import type { BenchReport } from '../../bench/report.js';
import { nodeData } from '../../stack/layout.js';
import type { Stack } from '../../stack/locate.js';
import type { HeadersOf } from '../../client/headers.js';
import { stackStatus, type StackStatus } from '../../stack/status.js';
import { readToken } from '../../stack/tokens.js';
import { textOf } from '../../wire/json.js';
import { durationMs, ratePerSecond } from '../duration.js';
import { CliError } from '../exit.js';
import { type Output, result } from '../output.js';
import { openStack, openTarget, type Surroundings, type TargetFlags } from '../target.js';
import { safe, sizeOf } from '../text.js';

export interface BenchWords extends TargetFlags {
  readonly rate?: string | undefined;
  readonly duration: string;
  readonly warmup: string;
  readonly size: number;
  readonly topics: number;
  readonly out?: string | undefined;
}

/**
 * `stack bench broadcast`, `private`, `unpinned`.
 *
 * @throws CliError UNHEALTHY for figures that do not count, or a verdict that is not good
 */
export async function benchMessages(workload: Workload, words: BenchWords, surroundings: Surroundings): Promise<void> {
  const measuredMs = durationMs(words.duration, '--duration');
  const warmupMs = durationMs(words.warmup, '--warmup');
  const rate = words.rate === undefined ? undefined : ratePerSecond(words.rate);
  const target = await openTarget(words, surroundings);
  const stack = target.stack === undefined ? undefined : await openStack(words, surroundings);
  const status = stack === undefined ? undefined : await stackStatus(stack);
  const report = await runMessageBench({
    workload,
    ...{ parties: target.parties.map(({ name, url }) => ({ name, url, namespace: target.namespace })) },
    ...{ chainUrl: urlOf(status, 'chain'), storeUrl: urlOf(status, 'store'), processes: processesOf(status) },
    ...{ rate, durationMs: measuredMs, warmupMs, sizeBytes: words.size, topics: words.topics },
    ...{ openSocket: target.openSocket, headersOf: await headersFor(target.headersOf, stack, status) },
    places: stack === undefined ? [] : placesOf(stack),
    onProgress: (sentence) => void surroundings.output.note(`${sentence} …`),
  });
  await printReport(report, words, surroundings);
}

export type MintBenchWords = Omit<BenchWords, 'size' | 'topics'>;

/** `stack bench mint`. @throws CliError as `benchMessages` */
export async function benchMint(words: MintBenchWords, surroundings: Surroundings): Promise<void> {
  const measuredMs = durationMs(words.duration, '--duration');
  const warmupMs = durationMs(words.warmup, '--warmup');
  const rate = words.rate === undefined ? undefined : ratePerSecond(words.rate);
  const target = await openTarget(words, surroundings);
  const status = target.stack === undefined ? undefined : await stackStatus(await openStack(words, surroundings));
  const report = await runMintBench({
    parties: target.parties.map(({ name, url }) => ({ name, url })),
    ...{ rate, durationMs: measuredMs, warmupMs, processes: processesOf(status) },
    ...{ openSocket: target.openSocket, headersOf: target.headersOf },
    onProgress: (sentence) => void surroundings.output.note(`${sentence} …`),
  });
  await printReport(report, words, surroundings);
}

async function printReport(
  report: BenchReport,
  words: { readonly out?: string | undefined },
  { output }: Surroundings,
): Promise<void> {
  if (words.out !== undefined) await writeFile(words.out, `${textOf(result({ ...report }))}\n`);
  if (output.isJson) await output.json(textOf(result({ ...report })));
  else if (output.isQuiet) await output.line(String(report.confirmedPerSecond));
  else await output.line(reportText(report, output));
  if (report.verdict === 'ok' && report.voidReasons.length === 0) return;
  throw new CliError('UNHEALTHY', `The run does not count: ${report.voidReasons.join('; ')}.`, { isSaid: true });
}

/** Where what is private must not be: at the parties, for those that are not members, and in what all share. */
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

function runs(status: StackStatus | undefined, service: string): boolean {
  return status?.services.some(({ name, pid }) => name === service && pid !== null) ?? false;
}

/** What nodes ask for, and chain and store of a stack that asks for credentials. */
async function headersFor(
  headersOf: HeadersOf,
  stack: Stack | undefined,
  status: StackStatus | undefined,
): Promise<HeadersOf> {
  if (stack?.settings.auth.enabled !== true) return headersOf;
  const services = await Promise.all(
    ['chain', 'store'].map(async (name) => ({
      // A port of a service that does not run may be another program's: no token is sent there.
      origin: runs(status, name) ? urlOf(status, name) : undefined,
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

/** The figures in a form to read, the verdict last. */
function reportText(report: BenchReport, { out }: Output): string {
  const { latencyMs, acceptMs, driver, machine } = report;
  const ms = (value: number) => `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
  const spread = ({ p50, p95, p99, max }: BenchReport['latencyMs']) =>
    `p50 ${ms(p50)}   p95 ${ms(p95)}   p99 ${ms(p99)}   max ${ms(max)}`;
  const isMint = report.workload === 'mint';
  const noun = isMint ? 'mints' : 'messages';
  const kind = isMint ? `${report.topics} pools` : `${report.sizeBytes} B, ${report.topics} topics`;
  const perBatch = report.messagesPerBatch === null ? '' : `   ${report.messagesPerBatch.toFixed(1)} a batch`;
  const rows: [string, string][] = [
    ['load', `${report.parties} parties, ${kind}, ${report.durationMs / 1_000} s`],
    ['offered', `${Math.round(report.offeredPerSecond)}/s   ${report.count} ${noun}`],
    [
      isMint ? 'recorded' : 'confirmed',
      `${Math.round(report.confirmedPerSecond)}/s at all of its parties   ${report.confirmed} ${noun}${perBatch}`,
    ],
    ['latency', spread(latencyMs)],
    ['accepted', spread(acceptMs)],
    ['driver', `late p99 ${ms(driver.latenessP99Ms)}   loop lag p99 ${ms(driver.eventLoopLagP99Ms)}`],
    ...report.processes.map(({ name, cpuSeconds, peakPssBytes }): [string, string] => [
      name,
      `${cpuSeconds?.toFixed(1) ?? '?'} s CPU   ${peakPssBytes === null ? '?' : sizeOf(peakPssBytes)}`,
    ]),
    ['machine', `${machine.cpu.trim()} × ${machine.cpus}, node ${machine.node}`],
  ];
  const isGood = report.verdict === 'ok' && report.voidReasons.length === 0;
  const verdict = isGood
    ? out.paint('green', '✓ the checker found nothing wrong')
    : out.paint('red', '✗ does not count');
  const lines = rows.map(([name, text]) => `${out.paint('dim', name.padEnd(10))} ${safe(text)}`);
  const findings = isGood ? [] : [...report.voidReasons, ...formatFindings(report.findings).split('\n')];
  return [...lines, verdict, ...findings.map((finding) => `  ${safe(finding)}`)].join('\n');
}
