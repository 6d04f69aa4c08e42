import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectControl } from '../../../../src/stack/control/control.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { waitUntilStill } from '../../../../src/supervisor/machine/identity.js';
import { aLayout, aPlace } from '../fixtures/place.js';
import { aProcess } from '../fixtures/processes.js';

test('a supervisor that SIGSTOP has stopped is not asked, until it is continued', async () => {
  const layout = aLayout(aPlace());
  const { identity } = await aProcess();
  const health = { protocol: 1, stack: layout.id, name: 'dev', identity, startedAt: '2026-01-01T00:00:00Z' };
  await writeJsonFile(layout.state, { ...health, state: 'running', lostLogLines: 0, services: [] });
  const asked: unknown[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.end(JSON.stringify(health));
  });
  mkdirSync(dirname(layout.socket), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(layout.socket, resolve));
  onTestFinished(() => void server.close());
  process.kill(identity.pid, 'SIGSTOP');
  await waitUntilStill(identity.pid, 10_000);
  expect([await connectControl(layout), asked]).toEqual([undefined, []]);
  process.kill(identity.pid, 'SIGCONT');
  await expect.poll(() => connectControl(layout)).toBeDefined();
  expect(asked).toContain('/health');
});
