import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { logNames, stackLogs } from '../../../src/stack/logs.js';
import { taskNames } from '../../../src/stack/running/plan.js';
import { openControl } from '../../../src/supervisor/control/control.js';
import { makeDirectory } from '../../../src/supervisor/files/private-file.js';
import { aPlan } from '../supervisor/fixtures/plans.js';
import { runWith } from '../supervisor/fixtures/running.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { Stack } from '../../../src/stack/places/locate.js';
import { aNetwork } from './snapshot/a-network.js';

test('prints the log of a service once, even if it is named twice', async () => {
  const stack = await aNetwork();
  await makeDirectory(stack.layout.logs);
  const line = '{"level":"info","time":"2026-01-01T00:00:00Z","msg":"one"}';
  await appendFile(join(stack.layout.logs, 'alice.ndjson'), `${line}\n`);
  const options = { lines: 10, follow: false, signal: AbortSignal.timeout(60_000) };
  const records: unknown[] = [];
  for await (const record of stackLogs(stack, { ...options, services: ['alice', 'alice'] })) records.push(record);
  expect(records).toEqual([{ service: 'alice', line }]);
});

test('has a log for every service and task', async () => {
  const stack = await aNetwork();
  expect(logNames(stack)).toEqual(
    expect.arrayContaining(['supervisor', 'chain', 'store', ...Object.values(taskNames)]),
  );
});

test('Followed logs begin with the last records that match, however far back, and repeat and miss none', async () => {
  const stack = await aNetwork();
  const { logs } = await aRunning(stack);
  const seen: unknown[] = [];
  const write = (n: number) => {
    logs.write('supervisor', JSON.stringify({ level: 'info', n }), 'stdout');
  };
  for (let n = 0; n < 40; n++) write(n);
  const done = new AbortController();
  const filter = {
    isWanted: (line: string) => {
      const { n } = JSON.parse(line) as { n: number };
      // Records that are written while the past is read are followed ones, although they rotate the files.
      if (n === 39) for (let more = 40; more < 60; more++) write(more);
      return n % 10 === 0;
    },
  };
  const options = { services: [], lines: 3, follow: true, filter, signal: done.signal };
  for await (const { line } of stackLogs(stack, options)) {
    seen.push((JSON.parse(line) as { n: unknown }).n);
    if (seen.length === 5) done.abort();
  }
  expect(seen).toEqual([10, 20, 30, 40, 50]);
});

test('Logs that the supervisor of an earlier version cannot follow are refused with what to do', async () => {
  const { layout, ...stack } = await aNetwork();
  const identity = { pid: process.pid, started: '0', boot: 'test' };
  const health = { protocol: 1, stack: layout.id, name: stack.name, identity, startedAt: '2026-01-01T00:00:00Z' };
  // It expects to be asked for following and for a number of past records.
  const server = createServer(({ url }, response) => void response.end(url === '/health' ? textOf(health) : ''));
  await makeDirectory(dirname(layout.socket));
  await new Promise<void>((resolve) => server.listen(layout.socket, resolve));
  onTestFinished(() => void server.close());
  const options = { services: [], lines: 3, follow: true, signal: AbortSignal.timeout(60_000) };
  await expect(stackLogs({ ...stack, layout }, options).next()).rejects.toMatchObject({
    code: 'PROTOCOL_MISMATCH',
    exitCode: 10,
    hint: 'Restart the stack: stack restart',
  });
});

/** A supervisor of a stack that runs nothing; its logs rotate after a few records. */
async function aRunning({ layout }: Stack) {
  const logFiles = { directory: layout.logs, maxBytes: 200, maxFiles: 50 };
  const plan = { ...aPlan(layout.run, []), stack: layout.id, socket: layout.socket, logs: logFiles };
  const parts = runWith(plan);
  const readPlan = () => Promise.resolve(plan);
  const control = await openControl({ ...parts, socket: plan.socket, readPlan, onStopped: () => undefined });
  onTestFinished(() => control.close());
  return parts;
}
