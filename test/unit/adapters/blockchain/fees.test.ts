import { Transaction } from 'ethers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEthereumBlockchain, type EthereumOptions } from '../../../../src/adapters/blockchain/ethereum.js';
import { feeLimitsOf } from '../../../../src/adapters/blockchain/fees.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { aPin } from '../../../compliance/blockchain/follower.js';
import { connectTo, openScriptedChain, type ScriptedChain, ScriptedError } from './scripted-chain.js';

const gwei = 1_000_000_000n;
let server: ScriptedChain;

beforeEach(async () => {
  server = await openScriptedChain();
  server.methods['eth_feeHistory'] = () => ({
    baseFeePerGas: [hexOf(6n * gwei), hexOf(7n * gwei)],
    reward: [[hexOf(gwei)], [hexOf(3n * gwei)]],
  });
  server.methods['eth_maxPriorityFeePerGas'] = () => hexOf(2n * gwei);
  server.methods['eth_getBalance'] = () => hexOf(10n ** 18n);
});
afterEach(() => server.close());

function hexOf(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

async function feesWith(fees: EthereumOptions['fees']): Promise<readonly (bigint | null)[]> {
  const chain = createEthereumBlockchain({
    url: server.url,
    contract: server.contract,
    firstBlock: 1,
    confirmations: 0,
    keys: [`0x${'2'.repeat(64)}`],
    log: createSilentLog(),
    clock: createSystemClock(),
    ...(fees !== undefined && { fees }),
  });
  try {
    const { raw } = await chain.sign(chain.keys[0] ?? '', 0, aPin());
    const { maxFeePerGas, maxPriorityFeePerGas } = Transaction.from(raw);
    return [maxFeePerGas, maxPriorityFeePerGas];
  } finally {
    await chain.close();
  }
}

test('the offer is twice the next base fee and the largest suggested tip', async () => {
  expect(await feesWith({})).toEqual([17n * gwei, 3n * gwei]);
});

test('the offer does not exceed the settings', async () => {
  expect(await feesWith(feeLimitsOf({ maxGwei: 9, tipGwei: 1.5 }))).toEqual([9n * gwei, 1_500_000_000n]);
  expect(await feesWith(feeLimitsOf({ maxGwei: 1 }))).toEqual([gwei, gwei]);
});

test('without suggested tips the offer follows the last blocks', async () => {
  server.methods['eth_maxPriorityFeePerGas'] = () => {
    throw new ScriptedError('the method eth_maxPriorityFeePerGas does not exist', -32_601);
  };
  server.methods['eth_feeHistory'] = () => ({ baseFeePerGas: [hexOf(gwei)], reward: [[hexOf(5n)]] });
  expect(await feesWith({})).toEqual([2n * gwei + 5n, 5n]);
});

test('a local chain is not asked', async () => {
  expect(await feesWith(undefined)).toEqual([100n * gwei, gwei]);
  expect(server.asked).not.toContain('eth_feeHistory');
});

test('a chain without information about fees cannot be used now', async () => {
  server.methods['eth_feeHistory'] = () => ({ baseFeePerGas: [] });
  await expect(feesWith({})).rejects.toMatchObject({ reason: 'unreachable' });
});

test('a call that its key cannot pay for now is not signed with the fees of now, and an empty call is', async () => {
  const clock = createManualClock();
  const chain = connectTo(server, { keys: [`0x${'2'.repeat(64)}`], fees: {}, isExternal: true, clock });
  const [key = ''] = chain.keys;
  server.methods['eth_getBalance'] = () => hexOf(10n ** 16n);
  server.methods['eth_feeHistory'] = () => ({ baseFeePerGas: [hexOf(1_000n * gwei)], reward: [] });
  await expect(chain.sign(key, 0, aPin())).rejects.toMatchObject({ reason: 'unfunded' });
  const empty = { type: 'contract', to: key, data: '0x', gas: 21_000, value: '0' } as const;
  expect(Transaction.from((await chain.sign(key, 0, empty)).raw).maxFeePerGas).toBe(2_002n * gwei);
  server.methods['eth_feeHistory'] = () => ({ baseFeePerGas: [hexOf(gwei)], reward: [] });
  await clock.advance(2_000);
  expect(Transaction.from((await chain.sign(key, 0, aPin())).raw).maxFeePerGas).toBe(4n * gwei);
  await chain.close();
});
