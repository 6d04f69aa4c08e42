import { expect, test } from 'vitest';
import { showProgress } from '../../../../src/cli/terminal/progress.js';
import { emptyView, type ServiceView } from '../../../../src/supervisor/control/view.js';
import { aService } from '../../supervisor/fixtures/plans.js';
import { memoryOutput } from '../memory-output.js';

const chain = emptyView(aService('/nowhere', 'chain'));
const way: readonly ServiceView[] = [
  chain,
  { ...chain, state: 'starting' },
  { ...chain, state: 'starting', progress: 'replayed 40 % of its journal' },
  { ...chain, state: 'starting', progress: 'replayed 40 % of its journal' },
  { ...chain, state: 'healthy', readyAfterMs: 1_234 },
];

test('a step of a long start is a separate line, printed once', async () => {
  const { output, err } = memoryOutput();
  const progress = showProgress(output, 'plain');
  way.forEach(progress.listener);
  await progress.end();
  expect(err()).toBe('chain has replayed 40 % of its journal\nchain is healthy after 1.2s\n');
});

test('as NDJSON each change is an object', async () => {
  const { output, err } = memoryOutput();
  const progress = showProgress(output, 'json');
  way.forEach(progress.listener);
  await progress.end();
  const lines = err().trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { service: 'chain', state: 'pending', progress: null, message: null },
    { service: 'chain', state: 'starting', progress: null, message: null },
    { service: 'chain', state: 'starting', progress: 'replayed 40 % of its journal', message: null },
    { service: 'chain', state: 'healthy', progress: null, message: null },
  ]);
});
