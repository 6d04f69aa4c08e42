import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import type { Blockchain } from '../../../../../src/ports/blockchain.js';
import { type Follower, follow } from '../../../../compliance/blockchain/follower.js';
import { connectTo, openScriptedChain, type ScriptedChain, ScriptedError, silence } from '../scripted-chain.js';

let server: ScriptedChain;
let chain: Blockchain;
let follower: Follower | undefined;

beforeEach(async () => {
  server = await openScriptedChain();
  chain = connectTo(server);
});
afterEach(async () => {
  await follower?.stop();
  follower = undefined;
  await chain.close();
  await server.close();
});

test('a new block costs one request', async () => {
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(1);
  const before = server.asked.length;
  server.mine(1);
  await follower.untilPins(2);
  server.mine(2);
  await follower.untilPins(4);
  expect(server.asked.slice(before)).toEqual(['eth_getLogs', 'eth_getLogs']);
});

test('on a chain that is younger than its confirmations, only the first block counts as confirmed', async () => {
  await chain.close();
  chain = connectTo(server, { confirmations: 3 });
  server.mine();
  expect(await chain.status()).toMatchObject({ head: 1, confirmed: 0 });
  for (let i = 0; i < 3; i++) server.mine();
  expect(await chain.status()).toMatchObject({ head: 4, confirmed: 1 });
});

test('a block that is announced while the head is requested is read without a sweep', async () => {
  await chain.close();
  chain = connectTo(server, { clock: createManualClock() });
  const askHead = server.methods['eth_blockNumber'];
  let isFirst = true;
  server.methods['eth_blockNumber'] = () => {
    const older = askHead?.();
    if (isFirst) server.mine(1);
    isFirst = false;
    return older;
  };
  follower = follow(chain);
  await follower.untilPins(1);
});

test('a server without subscriptions is polled for its newest block', async () => {
  server.methods['eth_subscribe'] = () => {
    throw new ScriptedError('notifications not supported', -32_601);
  };
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(1);
  server.mine(1, { isQuiet: true });
  server.mine(1, { isQuiet: true });
  await follower.untilPins(3);
  await follower.stop();
  expect(server.asked).not.toContain('eth_unsubscribe');
});

test('the time of a log is that of its block, whether announced or read later', async () => {
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(1);
  server.mine(1);
  await follower.untilPins(2);
  expect(follower.logs().map(({ time }) => time)).toEqual(['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z']);
});

test('a server with a limit of results is asked for smaller ranges', async () => {
  const all = server.methods['eth_getLogs'];
  server.methods['eth_getLogs'] = (range: never) => {
    const logs: unknown = all?.(range);
    if (!Array.isArray(logs) || logs.length > 3) throw new ScriptedError('query returned more than 3 results');
    return logs;
  };
  for (let block = 0; block < 12; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(12);
  follower.expectOrder();
});

test('a block counts when enough others have followed it', async () => {
  await chain.close();
  chain = connectTo(server, { confirmations: 2 });
  server.mine(1);
  follower = follow(chain);
  server.mine(1);
  server.mine(1);
  await follower.untilPins(1);
  const { head, confirmed } = await chain.status();
  expect(confirmed).toBe(head - 2);
  server.mine();
  await follower.untilPins(2);
});

test('a reorganisation above the confirmations is not noticed', async () => {
  await chain.close();
  chain = connectTo(server, { confirmations: 2 });
  for (let block = 0; block < 4; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(2);
  server.rewind(2);
  for (let block = 0; block < 4; block += 1) server.mine(2);
  await follower.untilPins(6);
  follower.expectOrder();
});

test('a fork that is shorter than what was read is another chain', async () => {
  for (let block = 0; block < 4; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(4);
  server.rewind(3);
  server.mine();
  await expect(follower.ended).rejects.toMatchObject({ reason: 'other_chain' });
});

test('a fork that overtakes what was read is another chain, also when it was not announced', async () => {
  for (let block = 0; block < 4; block += 1) server.mine(1);
  follower = follow(chain);
  await follower.untilPins(4);
  server.rewind(1);
  for (let block = 0; block < 3; block += 1) server.mine(0, { isQuiet: true });
  server.mine();
  await expect(follower.ended).rejects.toMatchObject({ reason: 'other_chain' });
});

test('a block that is replaced while its logs are read is read again', async () => {
  const all = server.methods['eth_getLogs'];
  let isFirst = true;
  server.methods['eth_getLogs'] = (range: never) => {
    if (isFirst) {
      isFirst = false;
      server.rewind(1);
      server.mine(2, { isQuiet: true });
    }
    return all?.(range);
  };
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(2);
  server.mine(1);
  await follower.untilPins(3);
});

test('a head that is not announced is found by the sweep', async () => {
  await chain.close();
  const clock = createManualClock();
  chain = connectTo(server, { clock });
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(1);
  const arrived = follower.untilPins(2);
  server.mine(1, { isQuiet: true });
  let isThere = false;
  void arrived.then(() => (isThere = true));
  while (!isThere) {
    await clock.advance(1_000);
    await chain.status();
  }
});

test('a server that stops answering is abandoned after a while, and asked again', async () => {
  await chain.close();
  const clock = createManualClock();
  chain = connectTo(server, { clock });
  await chain.status();
  const answer = server.methods['eth_blockNumber'] ?? (() => silence);
  server.methods['eth_blockNumber'] = () => silence;
  const status = chain.status();
  const outcome = status.then(
    () => 'answered',
    (error: { reason: string }) => error.reason,
  );
  let settled: string | undefined;
  void outcome.then((value) => (settled = value));
  while (settled === undefined) await clock.advance(1_000);
  expect(settled).toBe('unreachable');
  server.methods['eth_blockNumber'] = answer;
  expect((await chain.status()).head).toBe(0);
});

test.each([
  'no JSON',
  '7',
  'null',
  '{"method":"eth_subscription","params":{"subscription":"0x1","result":{"number":7}}}',
])('after the nonsense %s it goes on over a new connection', async (nonsense) => {
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(1);
  server.say(nonsense);
  server.mine(1);
  await follower.untilPins(2);
  follower.expectOrder();
});

test('connections that break repeatedly lose and repeat nothing', async () => {
  follower = follow(chain);
  for (let round = 1; round <= 5; round += 1) {
    server.mine(1);
    server.cut();
    server.mine(1);
    await follower.untilPins(2 * round);
  }
  follower.expectOrder();
});

test.each([
  ['chain id', 'eth_chainId', '0x7e6'],
  ['contract code', 'eth_getCode', '0x6001'],
  ['contract', 'eth_getCode', '0x'],
])('another %s behind the same address stops the watch, and no call reaches it', async (_, method, answer) => {
  server.mine(1);
  follower = follow(chain);
  await follower.untilPins(1);
  server.methods[method] = () => answer;
  server.cut();
  await expect(follower.ended).rejects.toMatchObject({ reason: 'other_chain' });
  await expect(chain.submit('0x00')).rejects.toMatchObject({ reason: 'unreachable' });
  expect(server.asked).not.toContain('eth_sendRawTransaction');
});
