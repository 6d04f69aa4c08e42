import { id, Interface } from 'ethers';
import { describe, expect, it } from 'vitest';
import { tokenPoolsAbi } from '../../../src/domain/tokens/contracts.js';
import type {
  ContractCall,
  ContractLog,
  LogPage,
  LogSelection,
  LogSource,
  Receipt,
} from '../../../src/ports/blockchain.js';
import { aPin, hashOf, noSources } from './follower.js';
import { type BlockchainUnderTest, createScene, type Scene } from './scene.js';

const tokens = new Interface(tokenPoolsAbi);
const poolId = 1n << 128n;
const transferTopic = id('TransferSingle(address,address,address,uint256,uint256)');
const createdTopic = id('PoolCreated(address,uint256,uint256,bool,bytes)');
const somebody = `0x${'5'.repeat(40)}`;

/** Calls of contracts, and the logs of contracts next to those of the network. */
export function describeContracts(create: () => Promise<BlockchainUnderTest>): void {
  describe('contracts', () => {
    const scene = createScene(create);

    it('are deployed with their own addresses', async () => {
      const { member } = scene.subject;
      const code = '0x6001600c60003960016000f300';
      const receipts = [
        await call(scene, member, { to: null, data: code }),
        await call(scene, member, { to: null, data: code }),
      ];
      expect(receipts).toMatchObject([{ status: 'success' }, { status: 'success' }]);
      const [first, second] = receipts.map((receipt) => 'contract' in receipt && receipt.contract);
      expect(first).toMatch(/^0x[0-9a-f]{40}$/);
      expect(second).not.toBe(first);
    });

    it('are called, and their logs are ordered with those of the network as they were mined', async () => {
      const { member } = scene.subject;
      const source = await poolOf(scene);
      const follower = scene.watch(scene.chain, { selection: () => ({ revision: 1, sources: [source] }) });
      await mint(scene, 1n);
      await call(scene, member, undefined, aPin({ batchHash: hashOf(7) }));
      await mint(scene, 2n);
      await follower.until(() => amountsOf(follower.logs()).length === 2);
      const kinds = follower.logs().flatMap((log) => (isMint(log) || log.type === 'batch_pin' ? [log.type] : []));
      expect(kinds).toEqual(['contract_log', 'batch_pin', 'contract_log']);
      const [log] = follower.logs().filter(isMint);
      expect(log).toMatchObject({ address: source.address, transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(log?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(log).not.toHaveProperty('input');
      expect(log).not.toHaveProperty('sender');
      follower.expectOrder();
    });

    it('are never the network contract, however its address is written', async () => {
      const { chain, subject } = scene;
      expect(chain.network).toMatch(/^0x[0-9a-f]{40}$/);
      for (const to of [chain.network, `0x${chain.network.slice(2).toUpperCase()}`]) {
        const toNetwork: ContractCall = { type: 'contract', to, data: '0x', gas: 100_000, value: '0' };
        await expect(chain.sign(subject.member, 0, toNetwork)).rejects.toThrow(/network contract/);
      }
    });

    it('without a source are not read', async () => {
      await poolOf(scene);
      await mint(scene, 1n);
      const follower = scene.watch(scene.chain, { selection: () => ({ revision: 1, sources: [] }) });
      await call(scene, scene.subject.member, undefined, aPin());
      await follower.untilPins(1);
      expect(follower.logs().filter(({ type }) => type === 'contract_log')).toEqual([]);
    });

    it('have logs from any address if a source has no address, and only with its topics', async () => {
      const { address } = await poolOf(scene);
      await mint(scene, 5n);
      const sources: LogSource[] = [
        { address: null, topics: [transferTopic] },
        { address: somebody, topics: [createdTopic] },
      ];
      const follower = scene.watch(scene.chain, { selection: () => ({ revision: 1, sources }) });
      await follower.until(() => amountsOf(follower.logs()).length === 1);
      const found = follower.logs().filter((log) => log.type === 'contract_log');
      expect(found).toMatchObject([
        { address, topics: [transferTopic, expect.anything(), expect.anything(), expect.anything()] },
      ]);
    });

    it('have logs with input and sender of their transactions for sources that request them', async () => {
      const source = await poolOf(scene);
      const data = await mint(scene, 5n);
      const selection = (): LogSelection => ({ revision: 1, sources: [{ ...source, withInput: true }] });
      const follower = scene.watch(scene.chain, { selection });
      await follower.until(() => amountsOf(follower.logs()).length === 1);
      expect(follower.logs().filter(isMint)).toMatchObject([{ input: data, sender: scene.subject.member }]);
    });

    it('read with an older selection are read again with the added sources, without losses or duplicates', async () => {
      const source = await poolOf(scene);
      for (let amount = 1n; amount <= 3n; amount += 1n) await mint(scene, amount);
      let selected: LogSelection = noSources;
      let isAdded = false;
      const follower = scene.watch(scene.chain, {
        selection: () => selected,
        during: async () => {
          if (!isAdded) await mint(scene, 4n);
          isAdded = true;
          selected = { revision: 1, sources: [source] };
        },
      });
      await follower.until(() => amountsOf(follower.logs()).length === 4);
      await call(scene, scene.subject.member, undefined, aPin());
      await follower.untilPins(1);
      expect(amountsOf(follower.logs())).toEqual([1n, 2n, 3n, 4n]);
      expect(follower.attempts()[0]?.revision).toBe(0);
      follower.expectOrder();
    });

    it('are read from after the last accepted page, at once, when a source is added', async () => {
      const source = await poolOf(scene);
      const added = new AbortController();
      let selected: LogSelection = { ...noSources, superseded: added.signal };
      const follower = scene.watch(scene.chain, { selection: () => selected });
      await follower.untilLogs(1);
      await mint(scene, 1n);
      await mint(scene, 2n);
      // As for a late joiner: the history up to the accepted page, unless more was accepted while it was read.
      let missed: readonly ContractLog[] = [];
      for (let isJoined = false; !isJoined;) {
        const { block } = follower.cursor();
        missed = await scene.chain.readLogs(source, 0, block);
        isJoined = follower.cursor().block === block;
      }
      selected = { revision: 1, sources: [source] };
      added.abort();
      await follower.until(() => amountsOf([...missed, ...follower.logs()]).length === 2);
      await mint(scene, 3n);
      await follower.until(() => amountsOf(follower.logs()).includes(3n));
      expect(amountsOf([...missed, ...follower.logs()])).toEqual([1n, 2n, 3n]);
      follower.expectOrder();
    });

    it('have their logs read from block to block, both included', async () => {
      const source = await poolOf(scene);
      const blocks: number[] = [];
      for (let amount = 1n; amount <= 4n; amount += 1n) {
        await mint(scene, amount);
        blocks.push((await scene.chain.status()).head);
      }
      const amounts = async (from = 0, to = 0): Promise<bigint[]> =>
        amountsOf(await scene.chain.readLogs(source, from, to));
      expect(await amounts(blocks[1], blocks[2])).toEqual([2n, 3n]);
      expect(await amounts(0, blocks[3])).toEqual([1n, 2n, 3n, 4n]);
      expect(await amounts(blocks[3], blocks[0])).toEqual([]);
      const follower = scene.watch(scene.chain, { selection: () => ({ revision: 1, sources: [source] }) });
      await follower.until(() => amountsOf(follower.logs()).length === 4);
      expect(follower.logs().filter(isMint)).toEqual(
        (await scene.chain.readLogs(source, 0, blocks[3] ?? 0)).filter(isMint),
      );
      await scene.subject.stop();
      await expect(scene.chain.readLogs(source, 0, 1)).rejects.toMatchObject({ reason: 'unreachable' });
    });

    it('answer queries with their current or a past state', async () => {
      const { address } = await poolOf(scene);
      await mint(scene, 3n);
      const { head } = await scene.chain.status();
      await mint(scene, 4n);
      const data = tokens.encodeFunctionData('balanceOf', [somebody, poolId]);
      const amountAt = async (block?: number): Promise<string> => {
        const answer = await scene.chain.query({ to: address, data, block });
        return answer.status === 'success' ? String(BigInt(answer.data)) : answer.reason;
      };
      expect([await amountAt(), await amountAt(head), await amountAt(head - 1)]).toEqual(['7', '3', '0']);
    });

    it('cannot be queried at a block that does not exist', async () => {
      const { address } = await poolOf(scene);
      const { head } = await scene.chain.status();
      const data = tokens.encodeFunctionData('balanceOf', [somebody, poolId]);
      const asked = scene.chain.query({ to: address, data, block: head + 1 });
      await expect(asked).rejects.toMatchObject({ reason: 'unreachable' });
    });

    it('give the reason of a refusal in a query, an estimate and a receipt', async () => {
      const { address } = await poolOf(scene);
      const { member, outsider } = scene.subject;
      const data = tokens.encodeFunctionData('mintFungible', [poolId, [somebody], [1n], '0x']);
      const refusal = {
        status: 'reverted',
        reason: `NotCreator(${outsider}, ${poolId})`,
        data: tokens.encodeErrorResult('NotCreator', [outsider, poolId]),
      };
      expect(await scene.chain.query({ to: address, data, from: outsider })).toEqual(refusal);
      expect(await scene.chain.estimate(outsider, { to: address, data, value: '0' })).toEqual(refusal);
      const possible = await scene.chain.estimate(member, { to: address, data, value: '0' });
      expect(possible).toMatchObject({ status: 'success', gas: expect.any(Number) });
      const receipt = await call(scene, outsider, { to: address, data });
      expect(receipt).toMatchObject(refusal);
      expect(await call(scene, member, { to: address, data })).toMatchObject({ status: 'success' });
    });

    it('that revert without a reason are reported to do so', async () => {
      const { address } = await poolOf(scene);
      const answer = await scene.chain.query({ to: address, data: '0x12345678' });
      expect(answer).toMatchObject({ status: 'reverted', data: '0x', reason: expect.stringMatching(/revert/) });
    });

    it('that do not exist accept every call and return nothing', async () => {
      const { member } = scene.subject;
      expect(await scene.chain.query({ to: somebody, data: '0x12345678' })).toEqual({ status: 'success', data: '0x' });
      expect(await call(scene, member, { to: somebody, data: '0x12345678' })).toMatchObject({ status: 'success' });
    });

    it('are never called with more gas than a transaction may have, and the nonce stays free', async () => {
      const { member } = scene.subject;
      const greedy: ContractCall = { type: 'contract', to: somebody, data: '0x', gas: 30_000_000, value: '0' };
      const { raw } = await scene.chain.sign(member, 0, greedy);
      await expect(scene.chain.submit(raw)).rejects.toMatchObject({ reason: 'refused' });
      expect(await scene.chain.count(member)).toBe(0);
      expect(await scene.chain.count(member, 'confirmed')).toBe(0);
      expect(await scene.pin(0)).toMatchObject({ status: 'success' });
    });

    it('wait with a nonce that is ahead for the calls before them', async () => {
      const { member } = scene.subject;
      const calls = await Promise.all(
        [2, 1, 0].map((nonce) => scene.chain.sign(member, nonce, aPin({ batchHash: hashOf(nonce) }))),
      );
      const receipts = await Promise.all(calls.map(({ raw }) => scene.chain.submit(raw)));
      expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
      const pins = await scene.watch(scene.chain).untilPins(3);
      expect(pins.map(({ batchHash }) => batchHash)).toEqual([hashOf(0), hashOf(1), hashOf(2)]);
    });
  });
}

/** Creates a fungible pool of the member, as a source of events. */
async function poolOf(scene: Scene): Promise<LogSource & { readonly address: string }> {
  const address = await scene.subject.tokens();
  const { member } = scene.subject;
  await call(scene, member, { to: address, data: tokens.encodeFunctionData('create', [true, '0x']) });
  return { address, topics: [transferTopic, createdTopic] };
}

/** Mints as the member; returns the input of the call. */
async function mint(scene: Scene, amount: bigint): Promise<string> {
  const data = tokens.encodeFunctionData('mintFungible', [poolId, [somebody], [amount], '0x']);
  const receipt = await call(scene, scene.subject.member, { to: await scene.subject.tokens(), data });
  expect(receipt.status).toBe('success');
  return data;
}

/** Signs with the next nonce of a key, and sends. */
async function call(
  { chain }: Scene,
  key: string,
  target: Pick<ContractCall, 'to' | 'data'> | undefined,
  pin = aPin(),
): Promise<Receipt> {
  const made = target === undefined ? pin : ({ type: 'contract', gas: 1_000_000, value: '0', ...target } as const);
  const { raw } = await chain.sign(key, await chain.count(key), made);
  return chain.submit(raw);
}

function isMint(log: LogPage['logs'][number]): log is ContractLog {
  return log.type === 'contract_log' && log.topics[0] === transferTopic;
}

function amountsOf(logs: LogPage['logs']): bigint[] {
  return logs.filter(isMint).map(({ data }) => BigInt(`0x${data.slice(-64)}`));
}
