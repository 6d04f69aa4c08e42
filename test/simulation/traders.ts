import { isServiceError } from '../../src/wire/errors/error.js';
import { textOf } from '../../src/wire/json/json.js';
import type { TransferRequest } from '../../src/wire/token.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';

export interface TradersParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  /** Number of mints, transfers and burns requested. */
  readonly operations: number;
  readonly spanMs: number;
}

/** An accepted operation. */
export interface Trade {
  readonly party: string;
  readonly localId: string;
}

/** Users who create pools, mint, transfer and burn, sometimes more than they have, with or without a message. */
export interface Traders {
  start(): void;
  /** Whether every request has its answer or will never get one. */
  isDone(): boolean;
  /** Operations whose answers have arrived. */
  trades(): readonly Trade[];
}

interface Pool {
  readonly name: string;
  readonly creator: Party;
  readonly type: 'fungible' | 'nonfungible';
}

const repeatMs = 400;
/** Attempts in a pool that the node does not know yet; it may never be defined. */
const maxTries = 20;

export function createTraders({ simulator, parties, topics, operations, spanMs }: TradersParts): Traders {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const trades: Trade[] = [];
  let left = 0;

  function anyOf<T>(list: readonly T[]): T {
    const one = list[random.integer(list.length)];
    if (one === undefined) throw new Error('there is nothing to choose from');
    return one;
  }

  /** Repeats until answered, because answers are lost and nodes die. The idempotency key makes it one request. */
  function insist(party: Party, what: string, act: () => Promise<void>, tries = 0): void {
    const serving = party.serving();
    const again = (more = 0): void => {
      scheduler.after(repeatMs, party.name, `${what} again`, () => insist(party, what, act, tries + more));
    };
    if (serving === undefined) {
      again();
      return;
    }
    let isOver = false;
    const once = (next: () => void): void => {
      if (isOver) return;
      isOver = true;
      next();
    };
    const done = (): void => void (left -= 1);
    serving.life.onEnd(() => once(again));
    act().then(
      () => once(done),
      (error: unknown) =>
        once(() => {
          if (isServiceError(error, 'transaction_key_used')) done();
          else if (!isBeforeItsTime(error)) again();
          else if (tries < maxTries) again(1);
          else done();
        }),
    );
  }

  function makePool({ name, creator, type }: Pool): void {
    left += 1;
    const request = { name, type, idempotencyKey: name };
    scheduler.after(random.fraction() * 1_000, creator.name, 'makes a pool', () =>
      insist(creator, 'makes a pool', async () => {
        await creator.serving()?.pipeline.acceptPool('default', request, true);
      }),
    );
  }

  /** Draws the message of an operation: none, a broadcast, or a private one. */
  function draw(number: number): Pick<TransferRequest, 'message'> {
    const choice = random.fraction();
    if (choice < 0.4) return {};
    const message = { header: { topics: [anyOf(topics)] }, data: [{ value: textOf({ trade: number }) }] };
    if (choice < 0.75) return { message };
    return { message: { ...message, group: { members: [{ identity: anyOf(parties).name }] } } };
  }

  function trade(number: number, { name: pool, creator, type }: Pool): void {
    left += 1;
    const party = random.fraction() < 0.6 ? creator : anyOf(parties);
    const others = parties.filter((other) => other !== party);
    const kind = party === creator && random.fraction() < 0.5 ? 'mint' : anyOf(['mint', 'transfer', 'burn'] as const);
    const isToken = type === 'nonfungible';
    const amount = isToken ? (kind === 'mint' ? 1 + random.integer(3) : 1) : drawAmount();
    const request: TransferRequest = {
      pool,
      amount: textOf(String(amount)),
      ...(kind === 'burn' ? {} : { to: anyOf(others).key }),
      ...(isToken && kind !== 'mint' && { tokenIndex: textOf(String(1 + random.integer(4))) }),
      ...draw(number),
      idempotencyKey: `trade-${number}`,
    };
    scheduler.after(random.fraction() * spanMs, party.name, kind, () =>
      insist(party, kind, async () => {
        const accepted = await party.serving()?.pipeline.acceptTransfer('default', kind, request);
        if (accepted === undefined) return;
        sometimes('operation of tokens accepted');
        trades.push({ party: party.name, localId: accepted.record.localId });
      }),
    );
  }

  /** Draws a small amount, or one that no float can represent. */
  function drawAmount(): bigint {
    const small = BigInt(1 + random.integer(20));
    return random.fraction() < 0.5 ? small : 10n ** 30n + small;
  }

  return {
    start() {
      const pools = Array.from({ length: 1 + random.integer(3) }, (_, index): Pool => {
        const type = random.fraction() < 0.7 ? 'fungible' : 'nonfungible';
        return { name: `pool-${index}`, creator: anyOf(parties), type };
      });
      for (const pool of pools) makePool(pool);
      for (let number = 0; number < operations; number++) trade(number, anyOf(pools));
    },
    isDone: () => left === 0,
    trades: () => trades,
  };
}

/** Whether a node refuses because it has not read enough of the chain yet. */
function isBeforeItsTime(error: unknown): boolean {
  const names = [
    'not_found',
    'pool_not_active',
    'identity_unknown',
    'identity_without_node',
    'author_refused',
  ] as const;
  return names.some((name) => isServiceError(error, name));
}
