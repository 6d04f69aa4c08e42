import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { protocolIdOf } from '../../src/domain/protocol-id.js';
import type { ContractLog } from '../../src/ports/blockchain.js';
import type {
  ApprovalEvent,
  LocatedPool,
  TokenConnector,
  TokenEvent,
  TransferEvent,
  TransferRequest,
} from '../../src/ports/token-connector.js';
import type { TokenType } from '../../src/wire/token.js';
import type { ContractChain } from '../support/contract-chain.js';
import { keys, openTokenWorld, type TokenWorld } from './token-connector/world.js';

const { alice, bob, carol } = keys;
const told = '{"tx":"5f1c","txtype":"token_transfer","message":"48b0","messageHash":"3063"}';
const types: readonly TokenType[] = ['fungible', 'nonfungible'];

/** A pool on the chain of the test. */
interface Pool extends LocatedPool {
  readonly locator: string;
}

/** Creates a pool by a call of the connector. */
export async function createdPool({ connector, make }: TokenWorld, type: TokenType): Promise<Pool> {
  const origin = connector.createPool({ type, name: 'coins', symbol: 'CNS', config: undefined }, told);
  if (origin.kind !== 'call') throw new Error('A pool without a configuration is created by a call.');
  const { logs } = await make(alice, origin.call);
  const [found] = logs.flatMap((log) => connector.readCreation(log) ?? []);
  const located = found && connector.locate(found.locator);
  if (located === undefined) throw new Error('The call created no pool that the connector locates.');
  return { ...located, locator: found?.locator ?? '' };
}

/** A request for an amount, or for the token with the index 1, by default alice's. */
export function aRequest({ locator, type }: Pool, kind: TransferRequest['kind'], more: Partial<TransferRequest> = {}) {
  const ofType =
    type === 'fungible'
      ? { amount: '10', tokenIndex: undefined }
      : { amount: '1', tokenIndex: kind === 'mint' ? undefined : '1' };
  const accounts = { key: alice, from: alice, to: kind === 'burn' ? alice : bob };
  return { kind, locator, ...accounts, ...ofType, uri: undefined, config: undefined, data: told, ...more };
}

function transfersOf(events: readonly TokenEvent[]): readonly TransferEvent[] {
  return events.filter((event) => event.type === 'transfer');
}

/** The obligations of `ports/token-connector.ts`. */
export function describeTokenConnector(
  name: string,
  open: (contracts: ContractChain) => Promise<TokenConnector>,
): void {
  describe(`token-connector: ${name}`, () => {
    let world: TokenWorld;
    let connector: TokenConnector;

    beforeEach(async () => {
      world = await openTokenWorld(open);
      ({ connector } = world);
    });

    function transfer(request: TransferRequest): Promise<readonly TokenEvent[]> {
      return world.read(request.key, connector.transfer(request));
    }

    it('has the name under which it is configured', () => {
      expect(connector.name).toBe(name);
    });

    it('finds a pool in the log of its creation, with its creator, and nothing in other logs', async () => {
      const origin = connector.createPool(
        { type: 'fungible', name: 'coins', symbol: undefined, config: undefined },
        told,
      );
      const { logs, block } = await world.make(bob, origin.kind === 'call' ? origin.call : noCall());
      const { address, topics } = connector.creations;
      const creations = logs.filter((log) => log.address === address && topics.includes(log.topics[0] ?? ''));
      const found = creations.flatMap((log) => connector.readCreation(log) ?? []);
      expect(found).toEqual([{ locator: found[0]?.locator, creator: bob }]);
      const located = connector.locate(found[0]?.locator ?? '');
      expect(located).toMatchObject({ type: 'fungible', block, takesData: true });
      const pool = await createdPool(world, 'fungible');
      const { logs: others } = await world.make(alice, connector.transfer(aRequest(pool, 'mint')));
      expect(others.flatMap((log) => connector.readCreation(log) ?? [])).toEqual([]);
    });

    it('gives each pool a locator of its own, and accepts no text that it has not written', async () => {
      const pools = [];
      for (const type of [...types, ...types]) pools.push(await createdPool(world, type));
      expect(new Set(pools.map(({ key }) => key)).size).toBe(4);
      for (const { locator, type } of pools) {
        expect(connector.locate(locator)?.type).toBe(type);
        for (const text of ['', 'address=', ` ${locator}`, `${locator}&more=1`, locator.toUpperCase()]) {
          expect(connector.locate(text)).toBeUndefined();
        }
      }
      fc.assert(fc.property(fc.string(), (text) => connector.locate(text) === undefined));
    });

    describe.each(types)('of a %s pool', (type) => {
      let pool: Pool;
      const tokenIndex = type === 'fungible' ? null : '1';

      beforeEach(async () => {
        pool = await createdPool(world, type);
      });

      it('reads a mint, a transfer and a burn as requested, with their data', async () => {
        const amount = type === 'fungible' ? '10' : '1';
        const [minted] = transfersOf(await transfer(aRequest(pool, 'mint')));
        const common = { type: 'transfer', pool: pool.key, address: pool.address, amount, tokenIndex, data: told };
        expect(minted).toMatchObject({ ...common, kind: 'mint', signer: alice, from: null, to: bob });
        const [moved] = transfersOf(await transfer(aRequest(pool, 'transfer', { key: bob, from: bob, to: alice })));
        expect(moved).toMatchObject({ ...common, kind: 'transfer', signer: bob, from: bob, to: alice });
        const [burnt] = transfersOf(await transfer(aRequest(pool, 'burn')));
        expect(burnt).toMatchObject({ ...common, kind: 'burn', signer: alice, from: alice, to: null });
        const places = [minted, moved, burnt].map((event) => event?.protocolId ?? '');
        expect([...places].sort()).toEqual(places);
        expect(minted?.protocolId.startsWith(protocolIdOf(minted.log.position))).toBe(true);
      });

      it("finds every event among the logs of the pool's source", async () => {
        const calls = [
          connector.transfer(aRequest(pool, 'mint', { to: alice })),
          connector.approve(anApproval({ operator: bob })),
          connector.transfer(aRequest(pool, 'burn')),
        ];
        const logs: ContractLog[] = [];
        for (const call of calls) logs.push(...(await world.make(alice, call)).logs);
        const { address, topics } = pool.source;
        const selected = logs.filter((log) => log.address === address && topics.includes(log.topics[0] ?? ''));
        expect(connector.events(selected)).toEqual(connector.events(logs));
        expect(connector.events(selected).map((event) => event.type)).toEqual(['transfer', 'approval', 'transfer']);
      });

      it('gives a call more gas than it uses, but little enough that a block holds many', async () => {
        const requests = [
          aRequest(pool, 'mint', { to: alice, ...(type === 'nonfungible' && { uri: 'u'.repeat(1_024) }) }),
          aRequest(pool, 'transfer'),
          aRequest(pool, 'burn', { key: bob, from: bob }),
        ];
        for (const request of requests) {
          const call = connector.transfer({ ...request, data: 'd'.repeat(1_000) });
          const { status, gasUsed } = await world.make(request.key, call);
          expect(status).toBe('success');
          expect(call.gas).toBeGreaterThan(gasUsed * 1.2);
          expect(call.gas).toBeLessThan(4_000_000);
        }
      });

      const anApproval = (more: { operator: string; approved?: boolean; data?: string }) => ({
        locator: pool.locator,
        key: alice,
        approved: true,
        config: undefined,
        data: told,
        ...more,
      });

      it('reads approvals and revocations under one subject, and lets the approved account act', async () => {
        await transfer(aRequest(pool, 'mint', { to: alice }));
        const approve = async (approved: boolean): Promise<ApprovalEvent> => {
          const call = connector.approve(anApproval({ operator: bob, approved }));
          const [event] = await world.read(alice, call);
          if (event?.type !== 'approval') throw new Error('An approval is read as one.');
          return event;
        };
        const given = await approve(true);
        expect(given).toMatchObject({
          signer: alice,
          operator: bob,
          approved: true,
          address: pool.address,
          data: told,
        });
        expect([null, pool.key]).toContain(given.pool);
        const acted = { key: bob, from: alice, to: carol };
        const [moved] = transfersOf(await transfer(aRequest(pool, 'transfer', acted)));
        expect(moved).toMatchObject({ signer: bob, from: alice, to: carol });
        const taken = await approve(false);
        expect(taken).toMatchObject({ signer: alice, approved: false, subject: given.subject });
      });

      it('is refused by the contract, and leaves no event, if its rules are broken', async () => {
        await transfer(aRequest(pool, 'mint', { to: alice }));
        const broken = [
          aRequest(pool, 'mint', { key: bob }),
          aRequest(pool, 'burn', { key: bob }),
          aRequest(pool, 'transfer', { key: bob, to: carol }),
          type === 'fungible'
            ? aRequest(pool, 'transfer', { amount: '11' })
            : aRequest(pool, 'transfer', { tokenIndex: '2' }),
        ];
        for (const request of broken) {
          const { status, logs } = await world.make(request.key, connector.transfer(request));
          expect([status, logs]).toEqual(['reverted', []]);
        }
      });

      it('returns no data that is not text, empty or too long', async () => {
        for (const data of ['', 'x'.repeat(5_000)]) {
          const [event] = await transfer(aRequest(pool, 'mint', { data }));
          expect(event?.data).toBeUndefined();
        }
        const { logs } = await world.make(alice, connector.transfer(aRequest(pool, 'mint')));
        const spoilt = logs.map((log) => ({ ...log, data: log.data.replaceAll('7b227478', 'ff227478') }));
        expect(spoilt).not.toEqual(logs);
        expect(connector.events(spoilt).map(({ data }) => data)).toEqual([undefined]);
      });
    });

    it('mints each non-fungible token under its own index, from 1', async () => {
      const pool = await createdPool(world, 'nonfungible');
      const events = [];
      for (let count = 0; count < 3; count += 1) events.push(...transfersOf(await transfer(aRequest(pool, 'mint'))));
      expect(events.map((event) => event.tokenIndex)).toEqual(['1', '2', '3']);
    });

    it('reports the URI of a new token that was given one', async () => {
      const pool = await createdPool(world, 'nonfungible');
      const [event] = transfersOf(await transfer(aRequest(pool, 'mint', { uri: 'https://example.org/one' })));
      expect(event?.uri).toBe('https://example.org/one');
    });

    it('accepts the largest possible amount exactly', async () => {
      const pool = await createdPool(world, 'fungible');
      const amount = String(2n ** 256n - 1n);
      expect(transfersOf(await transfer(aRequest(pool, 'mint', { amount })))[0]?.amount).toBe(amount);
    });

    it('refuses an invalid configuration', () => {
      const create = (config: string) => () =>
        connector.createPool({ type: 'fungible', name: 'coins', symbol: undefined, config: config as never }, told);
      for (const config of ['[]', '"x"', '{"address":"0x12"}', '{"address":17}']) {
        expect(create(config)).toThrow(expect.objectContaining({ reason: 'field_type' }));
      }
      expect(create('{}')).not.toThrow();
    });

    it('refuses an unknown member of a configuration', async () => {
      const config = (text: string) => text as never;
      const pool = { type: 'fungible', name: 'coins', symbol: undefined } as const;
      const address = `0x${'05'.repeat(20)}`;
      const created = () => connector.createPool({ ...pool, config: config(`{"adress":"${address}"}`) }, told);
      expect(created).toThrow('FF10306: There is no argument config.adress — did you mean "address"?');

      const { locator } = await createdPool(world, 'fungible');
      const approval = { locator, key: alice, operator: bob, approved: true, data: told };
      const approved = () => connector.approve({ ...approval, config: config('{"alowance":"1"}') });
      expect(approved).toThrow('FF10306: There is no argument config.alowance — did you mean "allowance"?');

      const unfilled = config('{"alowance":"","more":null}');
      expect(() => connector.approve({ ...approval, config: unfilled })).not.toThrow();
    });

    it.each(['mint', 'transfer', 'burn'] as const)(
      'refuses a configuration of a %s, which takes none',
      async (kind) => {
        const request = aRequest(await createdPool(world, 'fungible'), kind);
        expect(() => connector.transfer({ ...request, config: '{"gas":"1"}' as never })).toThrow('FF10306');
        expect(() => connector.transfer({ ...request, config: '{}' as never })).not.toThrow();
      },
    );

    it('never fails because of logs of others', async () => {
      const pool = await createdPool(world, 'nonfungible');
      const topics = [...pool.source.topics, ...connector.creations.topics];
      const hex = (max: number) =>
        fc.uint8Array({ maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
      const word = fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
      const junk = fc.record({
        type: fc.constant('contract_log' as const),
        position: fc.record({ block: fc.nat(), transactionIndex: fc.nat({ max: 2 }), logIndex: fc.nat({ max: 4 }) }),
        transactionHash: fc.constant('00'.repeat(32)),
        time: fc.constant('2026-06-01T00:00:00.000Z'),
        address: fc.constant(pool.address),
        topics: fc
          .tuple(fc.constantFrom(...topics), fc.array(word, { maxLength: 3 }))
          .map(([first, more]) => [first, ...more]),
        data: fc.oneof(
          hex(200),
          fc.array(word, { maxLength: 6 }).map((words) => `0x${words.map((each) => each.slice(2)).join('')}`),
        ),
        input: hex(100),
      });
      fc.assert(
        fc.property(fc.array(junk, { maxLength: 6 }), (logs) => {
          for (const log of logs) connector.readCreation(log);
          return connector.events(logs).every(({ protocolId }) => /^[0-9]{12}(\/[0-9]{6}){2,3}$/.test(protocolId));
        }),
      );
    });
  });
}

function noCall(): never {
  throw new Error('A pool without a configuration is created by a call.');
}
