import { expect, test } from 'vitest';
import { createDryRuns } from '../../../../src/devchain/engine/dry-runs.js';
import { alice, newChain, serve } from '../support.js';

interface Held {
  readonly started: string[];
  /** Starts, and ends on request. */
  hold(name: string): Promise<string>;
  end(name: string, error?: Error): void;
}

function createHeld(): Held {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    started,
    hold: (name) =>
      new Promise((resolve, reject) => {
        started.push(name);
        ends.set(name, (error) => (error === undefined ? resolve(`"${name}"`) : reject(error)));
      }),
    end: (name, error) => ends.get(name)?.(error),
  };
}

test('dry runs are executed one after the other, also after a failed one', async () => {
  const { run } = createDryRuns();
  const { started, hold, end } = createHeld();
  const [first, second] = ['first', 'second'].map((name) => run(() => hold(name)));
  await expect.poll(() => started).toEqual(['first']);
  end('first', new Error('wrong'));
  await expect(first).rejects.toThrow('wrong');
  await expect.poll(() => started).toEqual(['first', 'second']);
  end('second');
  expect(await second).toBe('"second"');
});

test('more than a thousand waiting dry runs are refused', async () => {
  const { run } = createDryRuns();
  const never = (): Promise<string> => new Promise(() => undefined);
  for (let i = 0; i < 1_000; i += 1) void run(never);
  await expect(run(never)).rejects.toMatchObject({ code: -32005 });
});

test('concurrent calls run one by one, and other requests are answered in between', async () => {
  const { started, hold, end } = createHeld();
  const server = await serve({
    newChain: async (genesis) => {
      const chain = await newChain(genesis);
      const isTried = (method: string): boolean => ['eth_call', 'eth_estimateGas'].includes(method);
      return { ...chain, ask: (method, params) => (isTried(method) ? hold(method) : chain.ask(method, params)) };
    },
  });
  const batch = ['eth_estimateGas', 'eth_call'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: [{}] }));
  const answers = server.post(JSON.stringify(batch));
  await expect.poll(() => started).toEqual(['eth_estimateGas']);
  expect(await server.call('eth_getBalance', alice.address, 'latest')).toMatch(/^0x/);
  expect(started).toEqual(['eth_estimateGas']);
  end('eth_estimateGas');
  await expect.poll(() => started).toEqual(['eth_estimateGas', 'eth_call']);
  end('eth_call');
  expect(await answers).toMatchObject([{ result: 'eth_estimateGas' }, { result: 'eth_call' }]);
  await server.stop();
});
