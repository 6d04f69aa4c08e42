import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findSupervisor } from '../../../../src/stack/cleaning/stale.js';
import { locatedAs, type LocatedStack } from '../../../../src/stack/places/locate.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { aLayout, aPlace } from '../fixtures/place.js';
import { aProcess } from '../fixtures/processes.js';

test('a supervisor that does not answer is named while it is waited for', async () => {
  const stack = aStack();
  const { state, answer } = await aSilentSupervisor(stack);
  await writeJsonFile(stack.layout.state, state);
  const silent: number[] = [];
  const control = await findSupervisor(stack, {
    onSilent: (pid, limitMs) => {
      silent.push(pid, limitMs);
      answer();
    },
  });
  expect(silent).toEqual([state.identity.pid, 20_000]);
  expect(await control?.health()).toMatchObject({ stack: stack.layout.id });
});

function aStack(): LocatedStack {
  const place = aPlace();
  const { directory } = aLayout(place);
  return locatedAs(place, 'dev', { directory, template: 'minimal@1', createdAt: '2026-01-01T00:00:00Z' });
}

/** A supervisor that answers nothing before `answer` is called. */
async function aSilentSupervisor({ layout }: LocatedStack) {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const { identity } = await aProcess();
  const health = { protocol: 1, stack: layout.id, name: 'dev', identity, startedAt: '2026-01-01T00:00:00Z' };
  const server = createServer((_, response) => {
    void answered.then(() => response.end(JSON.stringify(health)));
  });
  mkdirSync(dirname(layout.socket), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(layout.socket, resolve));
  onTestFinished(() => void server.close());
  return { state: { ...health, state: 'running', lostLogLines: 0, services: [] }, answer };
}
