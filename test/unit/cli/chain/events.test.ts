import { describe, expect, it } from 'vitest';
import { describeEvent } from '../../../../src/cli/chain/events.js';
import { keccak256 } from '../../../../src/domain/chain/keys.js';

const [alice, bob, zero] = ['1', '2', '0'].map((digit) => `0x${digit.repeat(40)}`);
const nameOf = (address: string) => (address === alice ? 'alice' : address === bob ? 'bob' : undefined);

function word(value: bigint | string | undefined): string {
  return typeof value === 'bigint' ? value.toString(16).padStart(64, '0') : (value ?? '').slice(2).padStart(64, '0');
}

function tell(signature: string, indexed: readonly (string | undefined | bigint)[], data: readonly bigint[]) {
  const topic = `0x${Buffer.from(keccak256(Buffer.from(signature))).toString('hex')}`;
  const topics = [topic, ...indexed.map((value) => `0x${word(value)}`)];
  const place = { blockNumber: '0x1', transactionIndex: '0x0', logIndex: '0x0' };
  return describeEvent({ address: zero ?? '', topics, data: `0x${data.map(word).join('')}`, ...place }, nameOf);
}

const single = 'TransferSingle(address,address,address,uint256,uint256)';

describe('an event of the chain', () => {
  it.each([
    [single, [alice, zero, bob], [5n << 128n, 7n], 'mint 7 → bob'],
    [single, [alice, alice, bob], [(1n << 255n) | (5n << 128n) | 9n, 1n], 'transfer #9 alice → bob'],
    [
      'TransferBatch(address,address,address,uint256[],uint256[])',
      [alice, bob, zero],
      [64n, 128n, 2n],
      'burn 2 tokens of bob',
    ],
    ['Transfer(address,address,uint256)', [alice, bob], [3n], 'transfer 3 alice → bob'],
    ['Transfer(address,address,uint256)', [zero, bob, 4n], [], 'mint #4 → bob'],
    ['ApprovalForAll(address,address,bool)', [alice, bob], [1n], 'approval by alice for bob'],
    ['PoolCreated(address,uint256,uint256,bool,bytes)', [alice, 1n], [], 'pool by alice'],
    ['TransferData(address,bytes,string)', [alice], [], undefined],
  ])('%s is told in words', (signature, indexed, data, text) => {
    expect(tell(signature, indexed, data)).toBe(text);
  });

  it('of an unknown contract is shown with its hash', () => {
    expect(tell('Deposited(uint256)', [], [])).toMatch(/^event 0x[0-9a-f]{8}… of 0x00000000…$/);
  });
});
