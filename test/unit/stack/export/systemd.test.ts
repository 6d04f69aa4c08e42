import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { unitText } from '../../../../src/stack/export/systemd.js';
import { aStartedStack } from '../fixtures/started-stack.js';

const run = promisify(execFile);
const analyze = 'systemd-analyze';
const isMissing = await run(analyze, ['--version']).then(
  () => false,
  () => true,
);

test('A unit names the program, home and user of a stack, and escapes spaces and percent signs', async () => {
  const stack = await aStartedStack([]);
  const place = { ...stack.place, home: '/srv/a b/100%' };
  const unit = unitText({ ...stack, place }, { user: 'carol', node: '/opt/no de/bin/node' });
  expect(unit).toContain('Environment="STACK_HOME=/srv/a b/100%%"\n');
  expect(unit).toMatch(/^ExecStart="\/opt\/no de\/bin\/node" \S+\/bin\/run\.js start dev --foreground /m);
  expect(unit).toContain('User=carol\n');
  expect(unit).not.toContain('DOCKER_HOST');
});

test.skipIf(isMissing)('systemd accepts a unit without warnings (needs systemd-analyze)', async () => {
  const stack = await aStartedStack(['runtime: docker']);
  const file = join(stack.place.home, 'parley-dev.service');
  await writeFile(file, unitText(stack, { user: 'root', node: process.execPath, engine: 'unix:///run/docker.sock' }));
  const { stdout, stderr } = await run(analyze, ['verify', '--man=no', file]);
  expect(stdout + stderr).not.toContain('parley-dev.service');
});
