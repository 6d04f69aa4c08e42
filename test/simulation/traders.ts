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
  /** Whether some pools are shared later or never, and deleted, and users also approve, and retry what has failed. */
  readonly hasLocalRecords: boolean;
  readonly spanMs: number;
}

/** An accepted operation. */
export interface Trade {
  readonly party: string;
  readonly localId: string;
}

/** An accepted pool. */
export interface MadePool {
  readonly party: string;
  readonly id: string;
  readonly isLocal: boolean;
  readonly name: string;
}

/** Users who create pools, mint, transfer and burn, sometimes more than they have, with or without a message. */
export interface Traders {
  start(): void;
  /** Whether every request has its answer or will never get one. */
  isDone(): boolean;
  /** Operations whose answers have arrived. */
  trades(): readonly Trade[];
  /** Pools whose answers have arrived. */
  pools(): readonly MadePool[];
  /** Whether a party has asked to delete its pool of this name. */
  hasDeleted(party: string, name: string): boolean;
}

interface Pool {
  readonly number: number;
  readonly name: string;
  readonly creator: Party;
  readonly type: 'fungible' | 'nonfungible';
  /** When its creator shares it: at once, later, or never. */
  readonly shared: 'now' | 'later' | 'never';
}

const repeatMs = 400;
/** Attempts in a pool that the node does not know yet; it may never be defined. */
const maxTries = 20;

export function createTraders({
  simulator,
  parties,
  topics,
  operations,
  hasLocalRecords,
  spanMs,
}: TradersParts): Traders {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const trades: Trade[] = [];
  const made: MadePool[] = [];
  const deleted = new Set<string>();
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
          else if (hasLocalRecords && isRefusal(error)) done();
          else if (!isBeforeItsTime(error)) again();
          else if (tries < maxTries) again(1);
          else done();
        }),
    );
  }

  function makePool({ number, name, creator, type, shared }: Pool): void {
    left += 1;
    const isLocal = shared !== 'now';
    const request = { name, type, idempotencyKey: `pool-${number}` };
    scheduler.after(random.fraction() * 1_000, creator.name, 'makes a pool', () =>
      insist(creator, 'makes a pool', async () => {
        const accepted = await creator.serving()?.pipeline.acceptPool('default', request, !isLocal);
        if (accepted === undefined) return;
        if (isLocal) sometimes('pool made for its creator alone');
        made.push({ party: creator.name, id: accepted.record.id, isLocal, name });
      }),
    );
    if (shared === 'later') sharePool({ number, name, creator });
    else if (isLocal && random.fraction() < 0.5) deletePool({ name, creator });
  }

  function sharePool({ number, name, creator }: Pick<Pool, 'number' | 'name' | 'creator'>): void {
    left += 1;
    const request = { idempotencyKey: `share-${number}` };
    scheduler.after(random.fraction() * spanMs, creator.name, 'shares a pool', () =>
      insist(creator, 'shares a pool', async () => {
        await creator.serving()?.pipeline.publishPool('default', name, request);
        sometimes('pool shared later');
      }),
    );
  }

  /** Asks once. The pool may be another one of this name. */
  function deletePool({ name, creator }: Pick<Pool, 'name' | 'creator'>): void {
    scheduler.after(1_000 + random.fraction() * spanMs, creator.name, 'deletes a pool', () => {
      const serving = creator.serving();
      if (serving === undefined) return;
      deleted.add(`${creator.name}/${name}`);
      serving.pipeline.deletePool('default', name).then(() => sometimes('pool deleted'), failUnlessRefused);
    });
  }

  function failUnlessRefused(error: unknown): void {
    if (isServiceError(error) || (error instanceof Error && error.message.includes('simulated fault'))) return;
    scheduler.fail(new Error('the request failed', { cause: error }));
  }

  function approve(number: number, { name: pool, creator }: Pool): void {
    left += 1;
    const party = random.fraction() < 0.6 ? creator : anyOf(parties);
    const operator = anyOf(parties.filter((other) => other !== party)).key;
    const request = { pool, operator, approved: random.fraction() < 0.7, idempotencyKey: `trade-${number}` };
    scheduler.after(random.fraction() * spanMs, party.name, 'approves', () =>
      insist(party, 'approves', async () => {
        const accepted = await party.serving()?.pipeline.acceptApproval('default', request);
        if (accepted === undefined) return;
        sometimes('approval accepted');
        trades.push({ party: party.name, localId: accepted.record.localId });
      }),
    );
  }

  /** Retries one of the operations that have failed at a party. */
  function retry(party: Party): void {
    scheduler.after(random.fraction() * 2 * spanMs, party.name, 'retries', () => {
      const serving = party.serving();
      if (serving === undefined) return;
      const failed = { namespace: 'default', type: ['token_transfer', 'token_approval'], status: 'Failed' } as const;
      const retryOne = async (): Promise<void> => {
        const rows = await party.disk.rows('operations', failed, { limit: 100 });
        if (rows.length === 0) return;
        await serving.pipeline.retryOperation('default', anyOf(rows).id);
        sometimes('operation retried');
      };
      retryOne().catch(failUnlessRefused);
    });
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

  /** Draws a pool with a name that others may have, mostly one that is not shared at once. */
  function drawLocal(number: number): Pool {
    const shared = random.fraction() < 0.2 ? 'now' : random.fraction() < 0.7 ? 'later' : 'never';
    return { number, name: `own-${random.integer(2)}`, creator: anyOf(parties), type: 'fungible', shared };
  }

  return {
    start() {
      const pools = Array.from({ length: 1 + random.integer(3) }, (_, number): Pool => {
        const type = random.fraction() < 0.7 ? 'fungible' : 'nonfungible';
        return { number, name: `pool-${number}`, creator: anyOf(parties), type, shared: 'now' };
      });
      if (hasLocalRecords) pools.push(...Array.from({ length: 2 }, (_, index) => drawLocal(pools.length + index)));
      for (const pool of pools) makePool(pool);
      for (let number = 0; number < operations; number++) {
        if (hasLocalRecords && random.fraction() < 0.2) approve(number, anyOf(pools));
        else trade(number, anyOf(pools));
      }
      if (!hasLocalRecords) return;
      for (let time = 0; time < operations / 2; time++) retry(anyOf(parties));
    },
    isDone: () => left === 0,
    trades: () => trades,
    pools: () => made,
    hasDeleted: (party, name) => deleted.has(`${party}/${name}`),
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

/** Whether a request is refused for good where pools have few names and are not all shared. */
function isRefusal(error: unknown): boolean {
  const names = [
    'already_published',
    'network_name_used',
    'pool_name_used',
    'idempotency_key_used',
    'message_not_attachable',
  ] as const;
  return names.some((name) => isServiceError(error, name));
}
