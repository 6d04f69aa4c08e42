import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logNames, stackLogs } from '../../../src/stack/logs.js';
import { taskNames } from '../../../src/stack/running/plan.js';
import { makeDirectory } from '../../../src/supervisor/files/private-file.js';
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
