import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { ifAnswered } from '../../../../src/cli/chain/open-chain.js';
import { createChainReader } from '../../../../src/stack/engines/chain.js';

/** Starts a chain that gives the same answer to every call; `stop` ends it. */
async function aChain(answer: unknown): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((_, response) => response.end(JSON.stringify(answer)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, stop };
}

it('a chain that refuses or has ended returns nothing; an invalid answer is an error', async () => {
  const old = createChainReader((await aChain({ error: { message: 'no such method' } })).url);
  expect(await ifAnswered(() => old.waiting())).toBeUndefined();
  const ended = await aChain({});
  await ended.stop();
  const gone = createChainReader(ended.url);
  expect(await ifAnswered(() => gone.waiting())).toBeUndefined();
  const strange = createChainReader((await aChain({ result: 'many' })).url);
  await expect(ifAnswered(() => strange.mining())).rejects.toThrow();
});
