import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createEthersCodec } from '../../../../../src/adapters/contract-codec/ethers.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import type { AttemptResult, Settlement } from '../../../../../src/pipeline/operations/attempt.js';
import type { ChainWork } from '../../../../../src/pipeline/dispatch/chain/chain-call.js';
import { createInvoke } from '../../../../../src/pipeline/dispatch/chain/invoke.js';
import { callLane, keyLane, newOperation } from '../../../../../src/pipeline/operations/operation.js';
import { type Blockchain, type ChainCall, ChainError } from '../../../../../src/ports/blockchain.js';
import type { NewRow, OperationRow } from '../../../../../src/ports/tables/tables.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

const key = `0x${'1'.repeat(40)}`;
const address = `0x${'7'.repeat(40)}`;
const tooLarge = { type: 'error', name: 'TooLarge', inputs: [{ name: 'max', type: 'uint256' }] } as const;
const revertData = `${createEthersCodec()
  .topicOf({ ...tooLarge, type: 'event' })
  .slice(0, 10)}${'7'.padStart(64, '0')}`;
const reverted = { status: 'reverted', reason: 'no words', data: revertData } as const;

type Estimate = Awaited<ReturnType<Blockchain['estimate']>>;

function anOperation(number: number, changes: Partial<NewRow<'operations'>> = {}): NewRow<'operations'> {
  const subject = { namespace: 'default', tx: uuid(100 + number), batch: '', batchHash: '', signer: key };
  const input = { location: { address }, options: { value: '5' }, data: '0x12345678', errors: [tooLarge] };
  const created = '2026-01-15T10:00:00.000Z';
  const type = 'blockchain_invoke';
  return { ...newOperation({ id: uuid(number), type, lane: callLane(key), created, subject, input }), ...changes };
}

/** Runs one operation with this estimate, and returns its outcome and its calls. */
async function aScene({
  estimate = { status: 'success', gas: 1_000 },
  others = [],
  ...changes
}: {
  readonly estimate?: Estimate | ChainError;
  readonly others?: readonly NewRow<'operations'>[];
} & Partial<NewRow<'operations'>> = {}) {
  const [database, clock] = [createMemoryDatabase(), createManualClock()];
  await database.transaction((unit) => unit.insert('operations', [anOperation(1, changes), ...others]));
  const works: ChainWork[] = [];
  const estimates: string[] = [];
  const blockchain: Blockchain = {
    ...createMemoryLedger({ clock }).connect({ keys: [key] }),
    async estimate(from) {
      estimates.push(from);
      if (estimate instanceof ChainError) throw estimate;
      return estimate;
    },
  };
  const passedOn: AttemptResult<Settlement> = { status: 'later', error: 'passed on' };
  const run = createInvoke({
    database,
    blockchain,
    clock,
    random: createSeededRandom(1),
    codec: createEthersCodec(),
    callChain: async (_, work) => {
      works.push(work);
      return passedOn;
    },
  });
  const row = await database.first('operations', { namespace: 'default', id: uuid(1) });
  if (row === undefined) throw new Error('The operation is missing.');
  const operation: OperationRow = row;
  const outcome = await run(operation, new AbortController().signal);
  return { database, operation, outcome, works, estimates };
}

async function callOf({ works, operation }: Awaited<ReturnType<typeof aScene>>): Promise<ChainCall | undefined> {
  return works[0]?.call(operation);
}

describe('a call of a user', () => {
  it('gets more gas than its estimate', async () => {
    const scene = await aScene();
    expect(scene.outcome).toMatchObject({ error: 'passed on' });
    expect(await callOf(scene)).toEqual({ type: 'contract', to: address, data: '0x12345678', gas: 1_500, value: '5' });
  });

  it('gets the requested gas', async () => {
    const options = { gas: 77, value: '0' };
    const scene = await aScene({ input: { location: { address }, options, data: '0x', errors: [] } });
    expect(await callOf(scene)).toMatchObject({ gas: 77 });
  });

  it('fails before it is sent if the contract refuses it, with the error of the contract', async () => {
    const { outcome, works, database } = await aScene({ estimate: reverted });
    expect(outcome).toMatchObject({ status: 'failed', error: 'The contract refuses the call: TooLarge(7)' });
    expect(works).toEqual([]);
    const { write } = outcome.status === 'failed' ? outcome : {};
    await database.transaction((unit) => write?.(unit) ?? Promise.resolve([]));
    expect(await rowsOf(database, 'events')).toMatchObject([
      { type: 'blockchain_invoke_op_failed', reference: uuid(1), tx: uuid(101), txtype: 'contract_invoke' },
    ]);
  });

  it('is tried again while other calls of its key are in flight', async () => {
    const others = [anOperation(2, { nonce: 4, status: 'Pending' })];
    const { outcome, works } = await aScene({ estimate: reverted, others });
    expect([outcome.status, works]).toEqual(['later', []]);
  });

  it('fails at a refusal if its key has only pins, ended calls and unsigned calls', async () => {
    const others = [
      anOperation(2, { nonce: 4, status: 'Pending', type: 'blockchain_pin_batch', lane: keyLane(key) }),
      anOperation(3, { nonce: 3, status: 'Succeeded' }),
      anOperation(4),
    ];
    expect((await aScene({ estimate: reverted, others })).outcome.status).toBe('failed');
  });

  it('is unreachable while the chain does not answer', async () => {
    const { outcome } = await aScene({ estimate: new ChainError('unreachable', 'no answer') });
    expect(outcome).toEqual({ status: 'unreachable', error: 'no answer' });
  });

  it('is tried later if the chain answers with an error', async () => {
    const { outcome } = await aScene({ estimate: new ChainError('error_response', 'node is syncing') });
    expect(outcome).toEqual({ status: 'later', error: 'The chain answers with an error: node is syncing' });
  });

  it('is not estimated again once it is signed', async () => {
    const { works, estimates } = await aScene({ raw: '0x01', nonce: 4, estimate: reverted });
    expect([works.length, estimates]).toEqual([1, []]);
  });

  it('decodes the reason of a revert with the errors of the contract', async () => {
    const { works } = await aScene();
    expect(works[0]?.reason?.(revertData)).toBe('TooLarge(7)');
    expect(works[0]?.reason?.('0x')).toBeUndefined();
  });

  it('has no decoded reason if the errors of the request are invalid in an ABI', async () => {
    const errors = [{ ...tooLarge, inputs: [{ name: 'no name', type: 'uint256' }] }];
    const input = { location: { address }, options: { value: '0' }, data: '0x12345678', errors };
    const { works } = await aScene({ input });
    expect(works[0]?.reason?.(revertData)).toBeUndefined();
  });
});

describe('a deployment', () => {
  it('ends with the location of the contract and an event', async () => {
    const input = { options: { value: '0' }, data: '0x6080', errors: [] };
    const scene = await aScene({ type: 'blockchain_deploy', input });
    expect(await callOf(scene)).toMatchObject({ to: null, data: '0x6080' });
    const [work] = scene.works;
    const receipt = { status: 'success', transactionHash: 'ab', block: 9, contract: address } as const;
    const outcome = work !== undefined && 'mined' in work ? await work.mined(receipt) : undefined;
    if (outcome?.status !== 'done') throw new Error('The deployment is not done.');
    expect(outcome.output.output).toEqual({
      transactionHash: 'ab',
      blockNumber: 9,
      contractLocation: { address },
    });
    const bells = await scene.database.transaction((unit) => outcome.output.write(unit));
    expect(bells).toContain('events');
    expect(await rowsOf(scene.database, 'events')).toMatchObject([
      { type: 'blockchain_contract_deploy_op_succeeded', reference: uuid(1), txtype: 'contract_deploy' },
    ]);
  });
});
