import { Interface } from 'ethers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEthereumBlockchain } from '../../../src/adapters/blockchain/ethereum.js';
import { createMemoryLedger } from '../../../src/adapters/blockchain/memory/memory.js';
import { tokenPoolsAddress } from '../../../src/adapters/blockchain/memory/chain.js';
import { createSystemClock } from '../../../src/adapters/clock/system.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { tokenPoolsAbi } from '../../../src/domain/tokens/contracts.js';
import type { Blockchain } from '../../../src/ports/blockchain.js';
import { type ChainOfTest, memberKey, openChain, outsiderKey } from './devchain.js';

const contract = new Interface(tokenPoolsAbi);
const nobody = `0x${'0'.repeat(40)}`;
const maxAmount = 2n ** 256n - 1n;

let devchain: ChainOfTest;
let real: Blockchain;

beforeAll(async () => {
  devchain = await openChain();
  real = createEthereumBlockchain({
    url: devchain.url().replace('http', 'ws'),
    contract: devchain.contract,
    firstBlock: devchain.firstBlock,
    confirmations: 0,
    keys: [memberKey, outsiderKey],
    log: createSilentLog(),
    clock: createSystemClock(),
  });
});
afterAll(async () => {
  await real.close();
  await devchain.stop();
});

/** A number of a party: the two keys, the zero address, and the contract itself. */
const party = fc.constantFrom(0, 1, 0, 1, 2, 3);
const key = fc.constantFrom(0, 1);
const kind = fc.constantFrom(true, false);
/** The number of a pool; the third does not exist. */
const pool = fc.constantFrom(1, 2, 1, 2, 3);
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.constantFrom(maxAmount));
const data = fc.constantFrom('0x', '0x7b7d', `0x${'ab'.repeat(40)}`);
const uri = fc.constantFrom('', 'ipfs://x/{id}', 'x'.repeat(1_025), 'ü');

const step = fc.oneof(
  fc.record({ method: fc.constant('create' as const), key, kind, data }),
  fc.record({
    method: fc.constant('mintFungible' as const),
    key,
    pool,
    kind,
    to: fc.array(party, { maxLength: 3 }),
    amounts: fc.array(amount, { maxLength: 3 }),
    data,
  }),
  fc.record({
    method: fc.constant('mintNonFungibleWithURI' as const),
    key,
    pool,
    kind,
    to: fc.array(party, { maxLength: 5 }),
    uri,
    data,
  }),
  fc.record({
    method: fc.constant('safeTransferFrom' as const),
    key,
    from: party,
    to: party,
    pool,
    kind,
    index: fc.nat(3),
    amount,
    data,
  }),
  fc.record({ method: fc.constant('burn' as const), key, from: party, pool, kind, index: fc.nat(3), amount, data }),
  fc.record({ method: fc.constant('setApprovalForAllWithData' as const), key, to: party, approved: kind, data }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

describe('the chain in memory', () => {
  it('answers every call of the token contract as the contract does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const address = await devchain.deployTokens();
        const ledger = createMemoryLedger({ clock: createSystemClock() });
        const memory = ledger.connect({ keys: real.keys });
        // Pools of both kinds exist, of either key, so that most calls find one.
        const begin: Step[] = [
          { method: 'create', key: 0, kind: true, data: '0x' },
          { method: 'create', key: 1, kind: false, data: '0x' },
        ];
        for (const each of [...begin, ...steps]) {
          const answers = await Promise.all([callOn(real, address, each), callOn(memory, tokenPoolsAddress, each)]);
          expect(answers[1]).toEqual(answers[0]);
        }
      }),
      { numRuns: 12 },
    );
  });
});

/** Returns the result of a call with its logs, normalised so that both addresses of the contract compare equal. */
async function callOn(chain: Blockchain, address: string, each: Step): Promise<unknown> {
  const parties = [...chain.keys, nobody, address];
  const from = chain.keys[each.key] ?? nobody;
  const encoded = contract.encodeFunctionData(each.method, argumentsOf(each, parties));
  const call = { type: 'contract', to: address, data: encoded, gas: 5_000_000, value: '0' } as const;
  const { raw } = await chain.sign(from, await chain.count(from), call);
  const receipt = await chain.submit(raw);
  const topics = contract.fragments.flatMap((fragment) =>
    fragment.type === 'event' ? [contract.getEvent(fragment.format())?.topicHash ?? ''] : [],
  );
  const logs = await chain.readLogs({ address, topics }, receipt.block, receipt.block);
  const said = logs.map((log) => ({ topics: log.topics, data: log.data, logIndex: log.position.logIndex }));
  const { status } = receipt;
  const why = receipt.status === 'reverted' ? { reason: receipt.reason, data: receipt.data } : {};
  const uriOf = {
    to: address,
    data: contract.encodeFunctionData('uri', [tokenId({ pool: 2, kind: false, index: 2 })]),
  };
  return JSON.parse(
    JSON.stringify({ status, ...why, said, uri: await chain.query(uriOf) }).replaceAll(address.slice(2), 'itself'),
  );
}

function argumentsOf(each: Step, parties: readonly string[]): readonly unknown[] {
  const of = (place: number): string => parties[place] ?? nobody;
  switch (each.method) {
    case 'create':
      return [each.kind, each.data];
    case 'mintFungible':
      return [tokenId(each), each.to.map(of), each.amounts, each.data];
    case 'mintNonFungibleWithURI':
      return [tokenId(each), each.to.map(of), each.data, each.uri];
    case 'safeTransferFrom':
      return [of(each.from), of(each.to), tokenId(each), each.amount, each.data];
    case 'burn':
      return [of(each.from), tokenId(each), each.amount, each.data];
    case 'setApprovalForAllWithData':
      return [of(each.to), each.approved, each.data];
  }
}

/** Pools are fungible if their number is odd, unless `kind` requires an id that no pool has. */
function tokenId(token: { readonly pool: number; readonly kind: boolean; readonly index?: number }): bigint {
  const isFungible = (token.pool % 2 === 1) === token.kind || token.pool % 2 === 1;
  const start = (BigInt(token.pool) << 128n) | (isFungible ? 0n : 1n << 255n);
  return start | BigInt(isFungible ? 0 : (token.index ?? 0));
}
