import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { afterField } from '../../../../../src/pipeline/state/chain/stored-call.js';
import type { CallChain } from '../../../../../src/pipeline/dispatch/chain/chain-call.js';
import { createTransferTokens } from '../../../../../src/pipeline/dispatch/chain/token.js';
import { newOperation } from '../../../../../src/pipeline/operations/operation.js';
import type { AttemptResult, Settlement } from '../../../../../src/pipeline/operations/attempt.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { alice, uuid } from '../../../../support/fixtures.js';
import { contractAddress } from '../../../../support/token-logs.js';
import { aPool, locatorOf } from '../../../../support/token-rows.js';

const connector = createErc1155({ address: contractAddress, firstBlock: 0 });
const pool = aPool(1, 'fungible');
const error = expect.any(String);

/** Runs a mint whose call the chain has, in a block without its event, at a node with these pools. */
async function mint(
  pools: readonly NewRow<'pools'>[],
  more: Readonly<Record<string, unknown>> = { [afterField]: [] },
): Promise<AttemptResult<Settlement> | { readonly status: 'absent' }> {
  const [database, clock] = [createMemoryDatabase(), createManualClock()];
  await database.transaction((unit) => unit.insert('pools', pools));
  const asked = { localId: uuid(1), pool: pool.id, kind: 'mint', locator: locatorOf(1, 'fungible'), data: '{}' };
  const moved = { key: alice.key, from: alice.key, to: alice.key, amount: '1' };
  const run = createTransferTokens({
    database,
    clock,
    connectors: new Map([[connector.name, connector]]),
    random: createSeededRandom(1),
    callChain: (_, work) => minedBy(work),
    untilRecorded: () => Promise.resolve('absent'),
    metrics: createSilentMetrics(),
  });
  const operation = newOperation({
    id: uuid(2),
    type: 'token_transfer',
    lane: 'chain',
    created: clock.now(),
    connector: connector.name,
    subject: { namespace: 'default', batch: '', batchHash: '', signer: alice.key, tx: uuid(3) },
    input: { ...asked, ...moved, ...more },
  });
  return run({ ...operation, sequence: 1 }, new AbortController().signal);
}

function minedBy(work: Parameters<CallChain>[1]): ReturnType<CallChain> {
  if (!('mined' in work)) throw new Error('A mint waits for its event.');
  const receipt = { status: 'success', transactionHash: '1'.repeat(64), block: 9, transactionIndex: 0 } as const;
  return work.mined(receipt) as ReturnType<CallChain>;
}

describe('a call of tokens that a reorganisation had removed, without its event', () => {
  it('waits as long as its pool is read again, or may be defined again', async () => {
    expect(await mint([{ ...pool, state: 'known' }])).toEqual({ status: 'later', error });
    expect(await mint([])).toEqual({ status: 'later', error });
  });

  it('fails if its pool is followed', async () => {
    expect(await mint([pool])).toEqual({ status: 'absent', error });
  });

  it('fails if another pool is defined at the place of its pool', async () => {
    expect(await mint([{ ...pool, id: uuid(9), pin: 1 }])).toEqual({ status: 'absent', error });
    expect(await mint([{ ...pool, id: uuid(9), pin: null }])).toEqual({ status: 'later', error });
  });
});

it('a call of tokens without its event fails if no reorganisation had removed it', async () => {
  expect(await mint([], {})).toEqual({ status: 'absent', error });
});
