import { randomInt, randomUUID } from 'node:crypto';
import { check } from '../../../src/bench/check.js';
import type { BalanceFacts, PartyRecord } from '../../../src/bench/check/recording.js';
import { createHttpClient, type HttpClient } from '../../../src/bench/http.js';
import { readPending } from '../../../src/bench/record.js';
import { recordTokens } from '../../../src/bench/token-record.js';
import { createVictimStack, type VictimStack } from '../crash/victim-stack.js';
import { pause } from './event-stack.js';
import { inParallel, readJson, until, type Verdicts } from './history.js';

const settleMs = 600_000;
const answerMs = 120_000;
const atOnce = 12;
const betweenKillsMs = 3_000;

type Party = VictimStack['parties'][number];

interface Pool {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly locator: string;
  readonly isFungible: boolean;
}

/**
 * Runs `count` random mints, transfers and burns from three parties while processes get SIGKILL: in the end balances
 * are equal at every node and in the contract, their sum is what was minted minus what was burned, and nothing waits.
 */
export async function tryTokens(
  root: string,
  { count }: { readonly count: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const stack = await createVictimStack(root, '3');
  const http = createHttpClient({ timeoutMs: 30_000 });
  try {
    const pools = await createPools(http, stack.parties);
    const startMs = performance.now();
    const killing = new AbortController();
    const kills = killUntil(stack, killing.signal);
    const answers = await inParallel(count, atOnce, () => moveSomething(http, stack.parties, pools)).finally(() => {
      killing.abort();
    });
    const killed = await kills;
    await stack.start();
    await stack.healthy(answerMs);
    const accepted = answers.filter((status) => status === 202 || status === 409).length;
    print(`${accepted} of ${count} accepted in ${seconds(startMs)} s, ${killed} processes killed`);
    await until('nothing is under way', settleMs, () => isIdle(http, stack.parties));
    print(`settled after ${seconds(startMs)} s`);
    await judge(http, stack, pools, verdicts);
  } finally {
    http.close();
    await stack.remove();
  }
}

/** Creates a fungible pool of each party, and a non-fungible one of alice. */
async function createPools(http: HttpClient, parties: readonly Party[]): Promise<readonly Pool[]> {
  const wanted = [
    ...parties.map((party) => ({ party, name: `coins-${party.name}`, isFungible: true })),
    ...parties.slice(0, 1).map((party) => ({ party, name: 'deeds', isFungible: false })),
  ];
  const pools: Pool[] = [];
  for (const { party, name, isFungible } of wanted) {
    const body = JSON.stringify({ name, type: isFungible ? 'fungible' : 'nonfungible' });
    const { status, bytes } = await http.exchange(addressOf(party, 'tokens/pools?confirm=true'), {
      method: 'POST',
      body,
    });
    if (status !== 200) throw new Error(`${party.name} did not create ${name} (${status}): ${bytes.toString('utf8')}`);
    const { id, locator } = JSON.parse(bytes.toString('utf8')) as Pick<Pool, 'id' | 'locator'>;
    pools.push({ id, name, owner: party.name, locator, isFungible });
  }
  for (const party of parties) {
    await until(`all pools are active at ${party.name}`, settleMs, async () => {
      const there = await readJson<readonly { readonly active: boolean }[]>(http, party.url, 'tokens/pools');
      return there.length === pools.length && there.every(({ active }) => active);
    });
  }
  return pools;
}

function addressOf({ url }: Party, path: string): string {
  return `${url}/api/v1/namespaces/default/${path}`;
}

/** Requests one random operation until it is answered; returns the status of the answer. */
async function moveSomething(http: HttpClient, parties: readonly Party[], pools: readonly Pool[]): Promise<number> {
  const party = pick(parties);
  const [path, body] = await somethingOf(http, party, parties, pools);
  const text = JSON.stringify({ ...body, idempotencyKey: randomUUID() });
  const deadlineMs = performance.now() + answerMs;
  for (;;) {
    try {
      const { status } = await http.exchange(addressOf(party, path), { method: 'POST', body: text });
      if (status < 500) return status;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
    }
    await pause(100);
  }
}

type Request = readonly [path: string, body: Readonly<Record<string, unknown>>];

/** Draws an amount, sometimes more than exists: the contract refuses that, and it must have no effect. */
async function somethingOf(
  http: HttpClient,
  party: Party,
  parties: readonly Party[],
  pools: readonly Pool[],
): Promise<Request> {
  const to = pick(parties.filter(({ name }) => name !== party.name)).name;
  const own = pools.filter(({ owner }) => owner === party.name);
  const kind = pick(['mint', 'mint', 'transfer', 'transfer', 'transfer', 'burn'] as const);
  if (kind === 'mint') {
    const pool = pick(own);
    return [
      'tokens/mint',
      { pool: pool.name, to: pick(parties).name, amount: randomInt(1, pool.isFungible ? 100 : 4) },
    ];
  }
  const pool = pick(pools);
  const path = kind === 'burn' ? 'tokens/burn' : 'tokens/transfers';
  const whom = kind === 'burn' ? {} : { to };
  if (pool.isFungible) return [path, { pool: pool.name, amount: randomInt(1, 40), ...whom }];
  const tokenIndex = await someIndex(http, party, pool);
  return [path, { pool: pool.name, amount: 1, tokenIndex, ...whom }];
}

/** Returns a token that has an owner according to the party's node, or the first token. */
async function someIndex(http: HttpClient, party: Party, pool: Pool): Promise<string> {
  try {
    const path = `tokens/balances?pool=${pool.id}&balance=1&limit=20`;
    const held = await readJson<readonly { readonly tokenIndex: string }[]>(http, party.url, path);
    return held.length === 0 ? '1' : pick(held).tokenIndex;
  } catch {
    // The node is being killed at the moment: any index will do.
    return '1';
  }
}

/**
 * Kills something every few seconds; returns the number of kills. A start restores the supervisor, which restores the
 * rest.
 */
async function killUntil(stack: VictimStack, signal: AbortSignal): Promise<number> {
  let killed = 0;
  while (!signal.aborted) {
    await pause(betweenKillsMs);
    const victim = pick(await stack.victims());
    if (stack.kill(victim)) killed++;
    if (victim.name === 'supervisor') await stack.start();
    else await stack.healthy(answerMs);
  }
  return killed;
}

async function isIdle(http: HttpClient, parties: readonly Party[]): Promise<boolean> {
  const counts = await Promise.all(
    parties.map(async (party) => {
      const path = 'operations?status=Initialized&status=Pending&count&limit=0';
      const { total } = await readJson<{ readonly total: number }>(http, party.url, path);
      return total + (await readPending(http, party));
    }),
  );
  return counts.every((count) => count === 0);
}

async function judge(http: HttpClient, stack: VictimStack, pools: readonly Pool[], verdicts: Verdicts): Promise<void> {
  const ids = pools.map(({ id }) => id);
  const parties = await Promise.all(
    stack.parties.map(async (party): Promise<PartyRecord> => {
      const tokens = await recordTokens(http, party, ids);
      return { name: party.name, connections: [], messages: [], pending: await readPending(http, party), tokens };
    }),
  );
  const balances = parties[0]?.tokens?.balances ?? [];
  const contractBalances = await Promise.all(balances.map((each) => askContract(http, stack.chainUrl, each, pools)));
  const nothing = { sends: [], pins: [], payloads: new Map<never, never>(), blocks: [] };
  const finding = check({ ...nothing, parties, contractBalances }).find(({ invariant }) => invariant === 'I11');
  const shown = `${finding?.evidence ?? 0} compared, ${finding?.proof ?? 'nothing wrong'}`;
  verdicts.expect('transfers and balances are equal everywhere, and to the contract', finding?.status === 'ok', shown);
  const transfers = parties[0]?.tokens?.transfers ?? [];
  const sumOf = (type: string) =>
    transfers.filter((each) => each.type === type).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const held = balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  const [minted, burned] = [sumOf('mint'), sumOf('burn')];
  verdicts.expect('what is held is what was minted less what was burned', held === minted - burned, `${held}`);
  const types = ['mint', 'transfer', 'burn'].map((type) => transfers.filter((each) => each.type === type).length);
  verdicts.expect('there were mints, transfers and burns', Math.min(...types) > 0, types.join(', '));
}

/** The first four bytes of keccak256 of `balanceOf(address,uint256)`. */
const balanceOfSelector = '0x00fdd58e';

/** Returns a balance from the contract itself. */
async function askContract(
  http: HttpClient,
  chainUrl: string,
  balance: BalanceFacts,
  pools: readonly Pool[],
): Promise<BalanceFacts> {
  const locator = new URLSearchParams(pools.find(({ id }) => id === balance.pool)?.locator);
  const id = BigInt(locator.get('startId') ?? '0') | BigInt(balance.tokenIndex ?? '0');
  const data = `${balanceOfSelector}${word(BigInt(balance.key))}${word(id)}`;
  const answer = await http.rpc(chainUrl, 'eth_call', [{ to: locator.get('address'), data }, 'latest']);
  return { ...balance, balance: String(BigInt(String(answer))) };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

function pick<Value>(values: readonly Value[]): Value {
  const value = values[randomInt(values.length)];
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
}

function seconds(startMs: number): string {
  return ((performance.now() - startMs) / 1_000).toFixed(1);
}
