import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../../src/adapters/database/memory/memory.js';
import { createDirectJudge } from '../../../../../../src/adapters/judge/direct.js';
import { createSilentMetrics } from '../../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../../src/adapters/random/seeded.js';
import { createErc1155 } from '../../../../../../src/adapters/token-connector/erc1155.js';
import { poolTag } from '../../../../../../src/domain/definition.js';
import { sealMessage } from '../../../../../../src/domain/messages/message.js';
import { currentRules } from '../../../../../../src/domain/network/network-rules.js';
import { createKnownDatatypes } from '../../../../../../src/pipeline/aggregate/define/known.js';
import { createKnownPools } from '../../../../../../src/pipeline/aggregate/define/tokens/known-pools.js';
import { poolRule } from '../../../../../../src/pipeline/aggregate/define/tokens/pool.js';
import { createTypedVerdicts } from '../../../../../../src/pipeline/aggregate/typed.js';
import { createBus } from '../../../../../../src/pipeline/bus.js';
import { afterField } from '../../../../../../src/pipeline/state/chain/stored-call.js';
import { referenceKey } from '../../../../../../src/pipeline/state/messages/exact.js';
import { newMessage } from '../../../../../../src/pipeline/state/messages/message-row.js';
import { newData } from '../../../../../../src/pipeline/state/data/data-row.js';
import { createKnownAnswers } from '../../../../../../src/pipeline/judging/known.js';
import { createUnitJudge } from '../../../../../../src/pipeline/judging/unit-judge.js';
import { newOperation } from '../../../../../../src/pipeline/operations/operation.js';
import { undoPools } from '../../../../../../src/pipeline/rebuild/tokens/pools.js';
import { createJoin } from '../../../../../../src/pipeline/receive/chain/join.js';
import { createSources } from '../../../../../../src/pipeline/receive/chain/sources.js';
import { createActivatePool } from '../../../../../../src/pipeline/receive/tokens/activate-pool.js';
import { createTokenApplier } from '../../../../../../src/pipeline/receive/tokens/token.js';
import type { Blockchain, ContractLog } from '../../../../../../src/ports/blockchain.js';
import type { NewRow, OperationRow } from '../../../../../../src/ports/tables/tables.js';
import { textOf } from '../../../../../../src/wire/json/json.js';
import { alice, anItem, uuid } from '../../../../../support/fixtures.js';
import { rowsOf } from '../../../../../support/pipelines-check.js';
import { contractAddress } from '../../../../../support/token-logs.js';
import { aPool, locatorOf } from '../../../../../support/token-rows.js';

const now = createManualClock().now();
const own = { keys: [alice.key] };
const [earlier, current] = [uuid(1), uuid(2)];
/** A pool of this node whose definition at its place, block 9, is on its way. */
const pool = aPool(1, 'fungible', {
  key: alice.key,
  message: current,
  locator: locatorOf(1, 'fungible', 9),
  state: 'known',
  active: false,
});

interface Author {
  readonly did: string;
  readonly key: string;
}

/** Returns a definition of the pool at the place of a block, in a message with this id; by default this node's. */
function aDefinition(id: string, block: number, { did, key: signer }: Author = alice) {
  const { id: itsId, namespace, name, type, standard, key, connector, txid } = pool;
  const [locator, tx] = [locatorOf(1, 'fungible', block), { type: 'token_pool', id: txid }];
  const record = { id: itsId, type, namespace, name, standard, locator, key, decimals: 0, connector, tx };
  const topics = [`svc_ns_${namespace}`];
  const [kind, txtype] = ['definition', 'batch_pin'] as const;
  const ofSystem = { type: kind, txtype, namespace: 'svc_system', topics, tag: poolTag };
  const header = { ...ofSystem, id, author: did, key: signer, created: now };
  const item = newData('svc_system', anItem({ id, value: textOf(record) }));
  const sealed = sealMessage(header, [item]);
  const row = newMessage(sealed, { items: new Map([[item.id, item]]), state: 'ready', pins: [] });
  return { row, item, message: { ...row, sequence: 1 }, text: textOf(record), place: 20, block: 20 };
}

/** A mint that waits for the pool since a rebuild. */
function aMint(): NewRow<'operations'> {
  const { namespace, id, connector } = pool;
  const subject = { namespace, batch: '', batchHash: '', signer: alice.key, tx: uuid(7) };
  const input = { pool: id, [afterField]: [] };
  return newOperation({ id: uuid(6), type: 'token_transfer', lane: 'chain', created: now, connector, subject, input });
}

function aCreation(): NewRow<'operations'> {
  const { namespace, id, connector, txid } = pool;
  const subject = { namespace, batch: '', batchHash: '', signer: alice.key, tx: txid ?? '' };
  const ofPool = { subject, connector, input: { pool: id, publish: true } };
  return newOperation({ id: uuid(5), type: 'token_create_pool', lane: 'chain', created: now, ...ofPool });
}

/** The node with its pool. The chain has the creation of the pool in block 9. */
async function aNode() {
  const database = createMemoryDatabase();
  const member = {
    namespace: 'svc_system',
    did: alice.did,
    type: 'org',
    parent: null,
    name: 'alice',
    created: now,
    updated: null,
  } as const;
  await database.transaction(async (unit) => {
    await unit.insert('pools', [pool]);
    await unit.insert('operations', [aMint()]);
    await unit.insert('identities', [{ ...member, id: uuid(8), endpoint: null, publicKeyHash: null, block: 0 }]);
    await unit.insert('keys', [{ namespace: 'svc_system', key: alice.key, identity: alice.did, created: now }]);
  });
  const [clock, random, bus] = [createManualClock(), createSeededRandom(1), createBus()];
  const connector = createErc1155({ address: contractAddress, firstBlock: 0 });
  const readCreation = ({ position: { block } }: ContractLog) =>
    block === 9 ? { locator: locatorOf(1, 'fungible', block), creator: alice.key } : undefined;
  const connectors = new Map([[connector.name, { ...connector, readCreation }]]);
  const chain = createMemoryLedger({ clock }).connect({ keys: own.keys });
  const aLog = (block: number) => ({ position: { block } }) as ContractLog;
  const blockchain: Blockchain = { ...chain, readLogs: (_, from) => Promise.resolve([aLog(from)]) };
  const join = createJoin({
    database,
    blockchain,
    sources: createSources(database),
    bus,
    metrics: createSilentMetrics(),
  });
  const tokens = createTokenApplier({ connectors, clock, random });
  const activate = createActivatePool({ database, blockchain, connectors, tokens, join, bus, clock, random });
  const checks = async (): Promise<readonly OperationRow[]> =>
    (await rowsOf(database, 'operations')).filter(({ type }) => type === 'token_activate_pool');

  const judge = (definition: ReturnType<typeof aDefinition>) =>
    database.transaction(async (unit) => {
      const { row, item } = definition;
      await unit.put('messages', [row]);
      await unit.put('data', [item]);
      const unitJudge = createUnitJudge(createDirectJudge({ isNow: () => true }), createKnownAnswers());
      const [known, pools] = [createKnownDatatypes(unit), createKnownPools(unit)];
      const rest = { noted: new Set<string>(), connectors, own, now, random };
      const verdicts = createTypedVerdicts();
      return poolRule.judge({ unit, rules: currentRules, unitJudge, verdicts, known, pools, ...rest }, definition);
    });

  return {
    judge,
    database,
    row: async () => (await rowsOf(database, 'pools'))[0],
    /** Runs the check of the newest claim. */
    async check() {
      const [operation] = (await checks()).slice(-1);
      return operation && (await activate(operation, new AbortController().signal));
    },
    /** Rejects a definition. */
    async reject(definition: ReturnType<typeof aDefinition>) {
      await database.transaction(async (unit) => {
        const parts = { now, own, rules: currentRules, unitJudge: undefined as never };
        await (await poolRule.apply(unit, { ...definition, ...parts }))?.drop?.();
      });
    },
  };
}

describe('an earlier definition of a pool, at another place', () => {
  const [before, after] = [aDefinition(earlier, 11), aDefinition(current, 9)];
  const waiting = { message: current, state: 'known', claim: null, verified: false, refusal: null };
  const claimed = { ...waiting, claim: referenceKey(after.message), locator: pool.locator };

  it('is rejected by the chain, and leaves the pool to the definition of its place', async () => {
    const node = await aNode();
    expect(await node.judge(before)).toHaveProperty('waits');
    expect(await node.check()).toMatchObject({ status: 'done' });
    expect((await node.judge(before)).refusal).toContain('FF10409');
    await node.reject(before);
    expect(await node.row()).toMatchObject(waiting);
    expect(await rowsOf(node.database, 'operations')).toMatchObject([{ input: { [afterField]: [] } }, {}]);
    expect(await node.judge(after)).toHaveProperty('waits');
    expect(await node.row()).toMatchObject(claimed);
  });

  it('leaves the pool to a definition that is judged before the rejection is written', async () => {
    const node = await aNode();
    await node.judge(before);
    await node.check();
    await node.judge(after);
    await node.reject(before);
    expect(await node.row()).toMatchObject(claimed);
  });

  it('leaves the pool if a rebuild removes its pin', async () => {
    const node = await aNode();
    await node.judge(before);
    await node.database.transaction((unit) => undoPools(unit, [before.message], own));
    expect(await node.row()).toMatchObject(waiting);
  });

  it('has no effect on the pool when its check is repeated later', async () => {
    const node = await aNode();
    await node.judge(before);
    await node.check();
    await node.reject(before);
    expect(await node.check()).toMatchObject({ status: 'done' });
    expect(await node.row()).toMatchObject({ ...waiting, active: false });
  });
});

describe('a definition of another member, with the id of a pool of this node', () => {
  const mallory = { did: 'did:parley:org/mallory', key: `0x${'bad'.padStart(40, '0')}` };
  const foreign = aDefinition(uuid(3), 9, mallory);
  const followed = { message: null, state: 'followed', active: true, symbol: 'OURS' } as const;

  it('leaves the pool as it was if the definition is rejected', async () => {
    const node = await aNode();
    await node.database.transaction((unit) => unit.update('pools', { namespace: 'default' }, followed));
    const before = await node.row();
    expect(await node.judge(foreign)).toHaveProperty('waits');
    expect(await node.row()).toMatchObject(followed);
    await node.check();
    expect((await node.judge(foreign)).refusal).toContain('FF10409');
    await node.reject(foreign);
    expect(await node.row()).toEqual(before);
  });

  it('is judged if the pool is deleted meanwhile', async () => {
    const node = await aNode();
    await node.judge(foreign);
    await node.database.transaction((unit) => unit.remove('pools', { namespace: 'default' }));
    expect(await node.judge(foreign)).toHaveProperty('waits');
    await node.check();
    expect((await node.judge(foreign)).refusal).toContain('FF10409');
    await node.reject(foreign);
    expect(await node.row()).toBeUndefined();
  });

  it('leaves the pool as it was if a rebuild removes its pin', async () => {
    const node = await aNode();
    const before = await node.row();
    await node.judge(foreign);
    await node.check();
    await node.database.transaction((unit) => undoPools(unit, [foreign.message], own));
    expect(await node.row()).toEqual(before);
  });

  it('does not wait until this node has created its pool', async () => {
    const node = await aNode();
    await node.database.transaction(async (unit) => {
      await unit.update('pools', { namespace: 'default' }, { state: 'creating' });
      await unit.insert('operations', [aCreation()]);
    });
    await node.judge(foreign);
    expect(await node.check()).toMatchObject({ status: 'done' });
    expect((await node.judge(foreign)).refusal).toContain('FF10409');
    await node.reject(foreign);
    expect(await node.row()).toMatchObject({ state: 'creating', message: current, claim: null });
  });
});

it('a row of another member, with the id of the pool, is replaced', async () => {
  const node = await aNode();
  const others = { message: uuid(3), claim: `${uuid(3)}/${'f'.repeat(64)}`, symbol: 'OTHER', published: true };
  await node.database.transaction((unit) => unit.update('pools', { namespace: 'default' }, others));
  await node.judge(aDefinition(current, 9));
  expect(await node.row()).toMatchObject({ message: current, symbol: null });
});

it('a followed pool whose definition is rejected after a rebuild stays with this node, active', async () => {
  const node = await aNode();
  await node.database.transaction((unit) => unit.update('pools', { namespace: 'default' }, { state: 'followed' }));
  await node.reject(aDefinition(current, 9));
  expect(await node.row()).toMatchObject({ state: 'followed', active: true, published: false, message: null });
});

it('a pool whose only definition is rejected does not let operations wait', async () => {
  const node = await aNode();
  await node.reject(aDefinition(current, 9));
  expect(await node.row()).toBeUndefined();
  const [mint] = await rowsOf(node.database, 'operations');
  expect(mint?.input).toEqual({ pool: pool.id });
});
