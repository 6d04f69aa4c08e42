import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import type { ListenerRequest } from '../../src/wire/contracts/contract.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import { textOf } from '../../src/wire/json/json.js';
import type { Wish } from './wishes.js';
import { insist, type Insistence } from './insist.js';
import type { Simulator } from './life.js';
import type { Ask, ListenerWish } from './listener.js';
import { heardIn, heardKinds, isTooMuch, measuresOf, meter, meterAddresses, nameOf, paramsOf } from './meters.js';
import type { ListenerOracle } from './oracle-listeners.js';
import type { Party } from './party.js';
import { InvariantViolation } from './shadow.js';

export interface ListeningParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly ledger: MemoryLedger;
  readonly oracle: ListenerOracle;
  /** Number of requested listeners; there are three times as many calls. */
  readonly listeners: number;
  readonly spanMs: number;
}

/** Users who call contracts, and users who create listeners under few names and topics. */
export interface Listening {
  start(): void;
  /** Checks that every listener has received the right events, and that every call is on the chain once. */
  check(): Promise<void>;
}

interface Call {
  readonly party: string;
  readonly number: number;
  isAnswered: boolean;
}

/** The filters of applications that follow contracts. */
export const listeningWishes: readonly Wish[] = [
  { filter: { events: '^blockchain_event_received$' }, isWanted: ({ type }) => type === 'blockchain_event_received' },
  { filter: { blockchainevent: { name: '^Measured$' } }, isWanted: ({ chainName }) => chainName === 'Measured' },
  { filter: { topic: '^meters$' }, isWanted: ({ topics }) => topics.includes('meters') },
];

const names = ['north', 'south', 'east'] as const;
const topics = ['meters', 'topic-0'] as const;
/** An account without a node. */
const outsider = `0x${'ca11'.padStart(40, '0')}`;
const gas = 100_000;
const measure = {
  type: 'function',
  name: 'measure',
  inputs: [{ name: 'number', type: 'uint256' }],
  outputs: [],
} as const;
const tooMuch = { type: 'error', name: 'TooMuch', inputs: [{ name: 'number', type: 'uint256' }] } as const;

export function createListening(parts: ListeningParts): Listening {
  const { simulator, parties, ledger, oracle, listeners, spanMs } = parts;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const calls: Call[] = [];

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[random.integer(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  function drawAsks(): readonly Ask[] {
    const asks = new Map<string, Ask>();
    for (let left = 1 + random.integer(3); left > 0; left--) {
      const [kind, address] = [pick(heardKinds), random.fraction() < 0.4 ? undefined : pick(meterAddresses)];
      // A node allows one filter for each signature and contract, whatever the event's parameters.
      asks.set(`${nameOf(kind)} ${address ?? ''}`, { kind, address });
    }
    return [...asks.values()];
  }

  function drawWish(): ListenerWish {
    return {
      name: random.fraction() < 0.2 ? undefined : pick(names),
      topic: pick(topics),
      firstEvent: pick(['oldest', 'newest', 'newest', random.integer(60)] as const),
      asks: drawAsks(),
    };
  }

  function listen(): void {
    const party = pick(parties);
    const wish = drawWish();
    const request = requestFor(wish, random.fraction() < 0.5);
    const askedMs = scheduler.nowMs();
    oracle.asked(party.name, wish);
    const act: Insistence['act'] = async (pipeline) => {
      const { id } = await pipeline.createListener('default', request);
      oracle.accepted(party.name, id);
    };
    const isFinal = (error: unknown): boolean => {
      if (!isServiceError(error, 'listener_exists') && !isServiceError(error, 'listener_twice')) return false;
      oracle.refused(party.name, wish, askedMs);
      return true;
    };
    insist({ simulator, party, actor: party.name, what: 'listens', act, isFinal });
  }

  function stopListening(): void {
    const party = pick(parties);
    const there = oracle.stored(party.name);
    if (there.length === 0) return;
    const { id, name } = pick(there);
    const nameOrId = random.fraction() < 0.5 ? id : name;
    const act: Insistence['act'] = (pipeline) => pipeline.deleteListener('default', nameOrId);
    insist({ simulator, party, actor: party.name, what: 'stops listening', act });
  }

  function call(number: number): void {
    const address = pick(meterAddresses);
    if (random.fraction() < 0.3) {
      const data = meter.encodeFunctionData('measure', [number]);
      ledger.call(outsider, { type: 'contract', to: address, data, gas, value: '0' });
      return;
    }
    const party = pick(parties);
    const made: Call = { party: party.name, number, isAnswered: false };
    calls.push(made);
    const terms = { input: textOf({ number }), idempotencyKey: `measure ${number}` };
    const method = { entry: measure, errors: [tooMuch], address };
    const dryRun = { hasDryRun: random.fraction() < 0.3 };
    const answered = (): void => {
      made.isAnswered = true;
    };
    const act = (pipeline: Pipeline): Promise<void> =>
      pipeline.acceptInvoke('default', method, terms, dryRun).then(answered);
    const isFinal = (error: unknown): boolean => {
      const isEnd = isServiceError(error, 'transaction_key_used') || isServiceError(error, 'call_reverted');
      if (isEnd) answered();
      return isEnd;
    };
    insist({ simulator, party, actor: party.name, what: 'calls a contract', act, isFinal });
  }

  /** A call that its contract accepts is on the chain once, and a call that it refuses has failed. */
  async function checkCalls({ name, disk }: Party): Promise<void> {
    const operations = await disk.rows('operations', { namespace: 'default' }, { limit: 100_000 });
    const logs = ledger.contractLogs().flatMap((log) => {
      const heard = heardIn('Measured', log) ?? heardIn('plain Measured', log);
      return heard === undefined ? [] : [(JSON.parse(heard.output) as { readonly number: string }).number];
    });
    for (const { number, isAnswered } of calls.filter(({ party }) => party === name)) {
      if (!isAnswered) throw new InvariantViolation('I12', `the call ${number} is not answered at ${name}`);
      const mine = operations.filter(({ type, input }) => type === 'blockchain_invoke' && numberOf(input) === number);
      const [status, times] = isTooMuch(number) ? ['Failed', 0] : ['Succeeded', measuresOf(number)];
      if (isTooMuch(number)) sometimes('call refused by the contract');
      const found = logs.filter((each) => each === String(number)).length;
      if (mine.length === 1 && mine[0]?.status === status && found === times) continue;
      const states = mine.map((operation) => `${operation.status} ${operation.error ?? ''}`).join();
      throw new InvariantViolation('I12', `the call ${number} of ${name} is ${states} with ${found} of ${times} logs`);
    }
  }

  const plan = (times: number, what: string, act: (index: number) => void): void => {
    for (let index = 0; index < times; index++) {
      scheduler.after(random.fraction() * spanMs, 'user', what, () => act(index));
    }
  };

  return {
    start() {
      plan(listeners, 'wants to listen', listen);
      plan(Math.floor(listeners / 3), 'wants to listen no more', stopListening);
      plan(3 * listeners, 'wants to call a contract', call);
    },
    async check() {
      for (const party of parties) {
        await oracle.check(party.name, party.disk);
        await checkCalls(party);
      }
    },
  };
}

function numberOf(input: object): number | undefined {
  const { input: given } = input as { readonly input?: { readonly number?: string } };
  return given?.number === undefined ? undefined : Number(given.number);
}

/** Builds the request for a wish; a single event may be given without a list. */
function requestFor({ name, topic, firstEvent, asks }: ListenerWish, isShort: boolean): ListenerRequest {
  const filters = asks.map(({ kind, address }) => ({
    event: {
      name: nameOf(kind),
      params: paramsOf(kind).map(({ name: parameter, type, indexed }) => {
        const details = { type, ...(indexed && { indexed }) };
        return { name: parameter, schema: textOf({ type: type === 'address' ? 'string' : 'integer', details }) };
      }),
    },
    ...(address !== undefined && { location: textOf({ address }) }),
  }));
  const [only] = filters;
  return {
    ...(name !== undefined && { name }),
    topic,
    options: { firstEvent: textOf(firstEvent) },
    ...(isShort && filters.length === 1 ? only : { filters }),
  };
}
