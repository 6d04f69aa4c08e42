import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operatorKeyFile } from '../../../src/stack/keys/keys.js';
import type { Stack } from '../../../src/stack/places/locate.js';
import { resetStack } from '../../../src/stack/reset.js';
import type { StartOptions } from '../../../src/stack/running/start-options.js';
import { aStartedStack } from './fixtures/started-stack.js';

interface Obstacle {
  readonly lines?: readonly string[];
  readonly put?: (stack: Stack) => Promise<Stack>;
  readonly options?: StartOptions;
}

const obstacles: Readonly<Record<string, Obstacle>> = {
  SERVICE_NOT_FOUND: { options: { external: ['nobody'] } },
  BIND_REFUSED: { options: { host: '0.0.0.0' } },
  ENGINE_MISSING: { lines: ['chain: {provider: anvil}'] },
  KEY_NOT_PRIVATE: {
    put: async (stack) => {
      await chmod(operatorKeyFile(stack.layout), 0o644);
      return stack;
    },
  },
  DISK_FULL: {
    put: ({ settings, ...stack }) => {
      const limits = { ...settings.limits, minFreeDisk: Number.MAX_SAFE_INTEGER };
      return Promise.resolve({ ...stack, settings: { ...settings, limits } });
    },
  },
  STORE_UNREACHABLE: { lines: ['store: {provider: ipfs, api: "http://127.0.0.1:9"}'] },
  CHAIN_UNREACHABLE: { lines: ['chain: {provider: url, url: "http://127.0.0.1:9"}'] },
  PATH_TOO_LONG: {
    put: (stack) => Promise.resolve({ ...stack, layout: { ...stack.layout, socket: `/${'x'.repeat(200)}` } }),
  },
  PORT_IN_USE: { put: withTakenPort },
};

test.each(Object.entries(obstacles))(
  'erases nothing before a start that would fail with %s',
  async (code, { lines = [], put = (given) => Promise.resolve(given), options = {} }) => {
    const stack = await put(await aStartedStack(lines));
    const file = await someData(stack);
    await expect(resetStack(stack, { followedBy: options })).rejects.toMatchObject({ code });
    expect(await readFile(file, 'utf8')).toBe('history');
    expect(await readFile(stack.layout.contracts, 'utf8')).not.toBe('');
  },
);

test('erases a stopped stack that is not started afterwards without checking its engine', async () => {
  const stack = await aStartedStack(['chain: {provider: anvil}']);
  const file = await someData(stack);
  expect(await resetStack(stack)).toMatchObject({ restarted: false, freedBytes: 'history'.length });
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

async function someData({ layout }: Stack): Promise<string> {
  await mkdir(layout.data, { recursive: true });
  await writeFile(join(layout.data, 'journal'), 'history');
  return join(layout.data, 'journal');
}

async function withTakenPort(stack: Stack): Promise<Stack> {
  const server = createServer();
  onTestFinished(
    () =>
      new Promise(
        (resolve) =>
          void server.close(() => {
            resolve();
          }),
      ),
  );
  await new Promise<void>(
    (resolve) =>
      void server.listen(0, '127.0.0.1', () => {
        resolve();
      }),
  );
  const address = server.address();
  const base = address instanceof Object ? address.port : 0;
  return { ...stack, settings: { ...stack.settings, ports: { ...stack.settings.ports, base } } };
}
