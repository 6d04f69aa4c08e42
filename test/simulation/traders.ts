import type { AcceptedOperation } from '../../src/pipeline/accept/tokens/transfer.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import { textOf } from '../../src/wire/json/json.js';
import type { TransferRequest } from '../../src/wire/token.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';
import { createPoolMakers, type Pool, type PoolMakers } from './pool-makers.js';
import { InvariantViolation } from './shadow.js';
import type { Waiters } from './waiters.js';

export interface TradersParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  readonly namespace: string;
  /** Number of mints, transfers and burns requested. */
  readonly operations: number;
  /** Whether some pools are shared later or never, and deleted, and users also approve, and retry what has failed. */
  readonly hasLocalRecords: boolean;
  /** Whether requests meet others under way, and approvals have messages as well. */
  readonly hasOverlaps: boolean;
  /** Makes requests wait for the outcome; undefined if none does. */
  readonly waiters: Waiters | undefined;
  readonly spanMs: number;
}

/** An accepted operation. */
export interface Trade {
  readonly party: string;
  readonly namespace: string;
  readonly localId: string;
}

/** Users who create pools, mint, transfer and burn, sometimes more than they have, with or without a message. */
export interface Traders {
  start(): void;
  /** Whether every request has its answer or will never get one. */
  isDone(): boolean;
  /** Operations whose answers have arrived. */
  trades(): readonly Trade[];
  readonly pools: Pick<PoolMakers, 'pools' | 'hasAsked' | 'deleted'>;
}

const repeatMs = 400;
/** Attempts in a pool that the node does not know yet; it may never be defined. */
const maxTries = 20;

export function createTraders({
  simulator,
  parties,
  topics,
  namespace,
  operations,
  hasLocalRecords,
  hasOverlaps,
  waiters,
  spanMs,
}: TradersParts): Traders {
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
    const isTwice = hasOverlaps && random.fraction() < 0.2;
    (isTwice ? twice(act) : act()).then(
      () => once(done),
      (error: unknown) =>
        once(() => {
          if (isServiceError(error, 'transaction_key_used')) done();
          else if (hasLocalRecords && isRefusal(error)) done();
          else if (isServiceError(error, 'operation_failed') || isServiceError(error, 'message_rejected')) done();
          else if (!isBeforeItsTime(error)) again();
          else if (tries < maxTries) again(1);
          else done();
        }),
    );
  }

  /** Makes a request after a time, and repeats it until it is answered. */
  function plan(party: Party, what: string, delayMs: number, act: () => Promise<void>): void {
    left += 1;
    scheduler.after(delayMs, party.name, what, () => insist(party, what, act));
  }

  /** I2: of two requests with one key at once, one is refused. */
  async function twice(act: () => Promise<void>): Promise<void> {
    const [one, other] = await Promise.allSettled([act(), act()]);
    if (one.status === 'fulfilled' && other.status === 'fulfilled') {
      scheduler.fail(new InvariantViolation('I2', 'one idempotency key was taken twice'));
    }
    sometimes('two requests of operations with one key at once');
    const refused = one.status === 'rejected' ? one : other;
    if (one.status === other.status && refused.status === 'rejected') throw refused.reason;
  }

  function failUnlessRefused(error: unknown): void {
    if (isServiceError(error) || (error instanceof Error && error.message.includes('simulated fault'))) return;
    scheduler.fail(new Error('the request failed', { cause: error }));
  }

  /** Makes a request for an operation, and notes it once it is accepted. */
  async function operate<T extends AcceptedOperation<{ readonly localId: string }>>(
    party: Party,
    type: 'token_transfer' | 'token_approval',
    accept: (pipeline: Pipeline) => Promise<T>,
  ): Promise<T | undefined> {
    const serving = party.serving();
    if (serving === undefined) return undefined;
    const noted = async (): Promise<T> => {
      const accepted = await accept(serving.pipeline);
      trades.push({ party: party.name, namespace, localId: accepted.record.localId });
      return accepted;
    };
    return waiters?.operation(party, type, noted) ?? noted();
  }

  function approve(number: number, { name: pool, creator }: Pool): void {
    const party = random.fraction() < 0.6 ? creator : anyOf(parties);
    const operator = anyOf(parties.filter((other) => other !== party)).key;
    const approved = random.fraction() < 0.7;
    const attached = hasOverlaps ? draw(number) : {};
    const request = { pool, operator, approved, ...attached, idempotencyKey: `trade-${number}` };
    plan(party, 'approves', random.fraction() * spanMs, async () => {
      const accepted = await operate(party, 'token_approval', (pipeline) =>
        pipeline.acceptApproval(namespace, request),
      );
      if (accepted === undefined) return;
      sometimes(accepted.message === undefined ? 'approval accepted' : 'approval with a message accepted');
    });
  }

  /** Retries one of the operations that have failed at a party. */
  function retry(party: Party): void {
    scheduler.after(random.fraction() * 2 * spanMs, party.name, 'retries', () => {
      const serving = party.serving();
      if (serving === undefined) return;
      const failed = { namespace, type: ['token_transfer', 'token_approval'], status: 'Failed' } as const;
      const retryOne = async (): Promise<void> => {
        const rows = await party.disk.rows('operations', failed, { limit: 100 });
        if (rows.length === 0) return;
        await serving.pipeline.retryOperation(namespace, anyOf(rows).id);
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
    plan(party, kind, random.fraction() * spanMs, async () => {
      const accept = (pipeline: Pipeline) => pipeline.acceptTransfer(namespace, kind, request);
      if ((await operate(party, 'token_transfer', accept)) !== undefined) sometimes('operation of tokens accepted');
    });
  }

  /** Draws a small amount, or one that no float can represent. */
  function drawAmount(): bigint {
    const small = BigInt(1 + random.integer(20));
    return random.fraction() < 0.5 ? small : 10n ** 30n + small;
  }

  const makers = createPoolMakers({ simulator, parties, namespace, hasOverlaps, spanMs, plan, anyOf });

  return {
    start() {
      const pools = Array.from({ length: 1 + random.integer(3) }, (_, number): Pool => {
        const type = random.fraction() < 0.7 ? 'fungible' : 'nonfungible';
        return { number, name: `pool-${number}`, creator: anyOf(parties), type, shared: 'now' };
      });
      if (hasLocalRecords)
        pools.push(...Array.from({ length: 2 }, (_, index) => makers.drawLocal(pools.length + index)));
      for (const pool of pools) makers.make(pool);
      for (let number = 0; number < operations; number++) {
        if (hasLocalRecords && random.fraction() < 0.2) approve(number, anyOf(pools));
        else trade(number, anyOf(pools));
      }
      if (!hasLocalRecords) return;
      for (let time = 0; time < operations / 2; time++) retry(anyOf(parties));
    },
    isDone: () => left === 0,
    trades: () => trades,
    pools: makers,
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
