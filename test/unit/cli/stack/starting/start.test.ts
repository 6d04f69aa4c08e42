import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import Start from '../../../../../src/cli/commands/start.js';
import { loadConfig } from '../../../../../src/cli/main.js';
import { createStack } from '../../../../../src/stack/create.js';
import { placeFrom } from '../../../../../src/stack/layout.js';
import { aPlace } from '../../../stack/fixtures/place.js';
import { memoryOutput } from '../../memory-output.js';

const root = new URL('../../../../..', import.meta.url).pathname;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('a start that is cancelled at its question has started nothing, and suggests nothing', async () => {
  const { home } = aPlace();
  vi.stubEnv('STACK_HOME', home);
  vi.stubEnv('CI', '');
  await createStack(placeFrom({ STACK_HOME: home }), { name: 'dev', template: 'minimal', workingDirectory: '/' });
  vi.spyOn(process, 'stdin', 'get').mockImplementation(
    () =>
      Object.assign(new PassThrough().end('n\n'), { isTTY: true, fd: 0 as const }) as unknown as typeof process.stdin,
  );
  const { output, err } = memoryOutput({ isTerminal: true });
  const command = new Start(['dev', '--fresh'], await loadConfig(root, 'stack'));
  await command.runWithin(output);
  expect(err()).toContain('Nothing changed.');
  expect(err()).not.toContain('Try:');
});
