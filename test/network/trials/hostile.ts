import { createHttpClient, type HttpClient } from '../../../src/bench/http.js';
import { createVictimStack, type VictimStack } from '../crash/victim-stack.js';
import { pause } from './event-stack.js';
import { type Delays, longestBetween, readDelays } from './hostile/delays.js';
import { type Attacker, startAttacker } from './hostile/attacker.js';
import { memberAttacks } from './hostile/from-member.js';
import { outsideAttacks } from './hostile/from-outside.js';
import { percentile, startHonestClient } from './hostile/honest-client.js';
import { readJson, until, type Verdicts } from './history.js';

const ratePerSecond = 10;
const baselineMs = 60_000;
const afterAttackMs = 5_000;
const settleMs = 300_000;
const maxDelaySeconds = 0.25;
const maxRatio = 3;

/**
 * Runs every attack, from outside and from a registered member, on a running stack with honest traffic: no event loop
 * may be blocked for more than a quarter of a second, the honest messages may take at most three times as long as
 * without attacks, all of them must be confirmed, and no process may restart. `only` selects attacks by a part of their
 * names.
 */
export async function tryHostile(
  root: string,
  { only }: { readonly only: string },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const stack = await createVictimStack(root, '3');
  const http = createHttpClient({ timeoutMs: 60_000 });
  const attacks = [...memberAttacks, ...outsideAttacks].map(({ name }) => name).filter((name) => name.includes(only));
  const attacker = await startAttacker(root, stack);
  try {
    const before = await processesOf(stack);
    const calm = await startHonestClient(stack.parties, { run: 'calm', ratePerSecond });
    await pause(baselineMs);
    const baseline = await calm.end();
    print(`without attacks: ${baseline.sent} messages, p99 ${percentile(baseline.latenciesMs, 0.99).toFixed(0)} ms`);
    const traffic = await startHonestClient(stack.parties, { run: 'attacked', ratePerSecond });
    // The start of the client's process slows the stack, too.
    await pause(afterAttackMs);
    const starts: number[] = [];
    for (const attack of attacks) {
      starts.push(Date.now());
      await carryOut(attack, attacker, { http, stack }, verdicts, print);
    }
    const attacked = await traffic.end();
    const [calmMs, attackedMs] = [baseline, attacked].map(({ latenciesMs }) => percentile(latenciesMs, 0.99));
    const slowMs = maxRatio * (calmMs ?? Number.NaN);
    for (const [index, name] of attacks.entries()) {
      const latencies = attacked.latenciesBetween(starts[index] ?? 0, starts[index + 1] ?? Infinity);
      const slow = latencies.filter((latency) => latency > slowMs).length;
      const longest = Math.max(0, ...latencies);
      print(`${slow} of ${latencies.length} above ${slowMs.toFixed(0)} ms, longest ${longest.toFixed(0)} ms: ${name}`);
    }
    const ratio = (attackedMs ?? Number.NaN) / (calmMs ?? Number.NaN);
    const figures = `p50 ${percentile(attacked.latenciesMs, 0.5).toFixed(0)} ms, p99 ${attackedMs?.toFixed(0)} ms`;
    verdicts.expect(
      `honest p99 is at most ${maxRatio} times that without attacks`,
      ratio <= maxRatio,
      `${figures}, ratio ${ratio.toFixed(1)}`,
    );
    verdicts.expect('every honest message is confirmed at every party', attacked.lost === 0, `${attacked.sent} sent`);
    verdicts.expect('no process was started again', (await processesOf(stack)) === before);
    await until('the nodes answer and are healthy', settleMs, () => areHealthy(http, stack));
    verdicts.expect('all nodes are alive', true);
  } finally {
    await attacker.end();
    http.close();
    await stack.remove();
  }
}

interface Stage {
  readonly http: HttpClient;
  readonly stack: VictimStack;
}

async function carryOut(
  attack: string,
  attacker: Attacker,
  { http, stack }: Stage,
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const before = await readAllDelays(http, stack);
  const startMs = performance.now();
  const outcome = await attacker.carryOut(attack);
  await pause(afterAttackMs);
  const after = await readAllDelays(http, stack);
  const longest = stack.parties.map((_, index) => {
    return longestBetween(before[index] ?? new Map(), after[index] ?? new Map());
  });
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  print(`${attack}: ${'told' in outcome ? outcome.told : ''} (${seconds} s)`);
  if ('fault' in outcome) verdicts.expect(`it was answered as it should be: ${attack}`, false, outcome.fault);
  const isShort = longest.every((delay) => delay <= maxDelaySeconds);
  verdicts.expect(`no event loop was held up: ${attack}`, isShort, `at most ${longest.join(', ')} s`);
}

function readAllDelays(http: HttpClient, { parties }: VictimStack): Promise<Delays[]> {
  return Promise.all(parties.map((party) => readDelays(http, party)));
}

/** Returns the processes of a stack as one text, which changes when one of them restarts. */
async function processesOf(stack: VictimStack): Promise<string> {
  const victims = await stack.victims();
  return victims
    .map(({ name, pid, started }) => `${name} ${pid} ${started}`)
    .sort()
    .join('\n');
}

async function areHealthy(http: HttpClient, { parties }: VictimStack): Promise<boolean> {
  const answers = await Promise.all(
    parties.map(async ({ url }) => {
      const status = await readJson<{ readonly node?: unknown }>(http, url, 'status').catch(() => undefined);
      return status !== undefined;
    }),
  );
  return answers.every(Boolean);
}
