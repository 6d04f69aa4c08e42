import { expect, it } from 'vitest';
import { watchStatus } from '../../../../../src/cli/stack/watching/status-watch.js';
import { createStack } from '../../../../../src/stack/create.js';
import { locateStack } from '../../../../../src/stack/places/locate.js';
import { removeStack } from '../../../../../src/stack/remove.js';
import { aPlace } from '../../../stack/fixtures/place.js';
import { memoryOutput } from '../../memory-output.js';

it('a watched status is shown at once, again when it has changed, and ends with its stack', async () => {
  const place = aPlace();
  await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
  const { output, out } = memoryOutput({ modes: { isJson: true } });
  // Commands have members of their class, which a copy of the object would not have.
  class CommandContext {
    readonly program = 'stack';
    get output() {
      return output;
    }
    get environment() {
      return { STACK_HOME: place.home };
    }
  }
  const watching = watchStatus({ name: 'dev', check: false, hasHeaders: true }, new CommandContext());
  const ended = expect(watching).rejects.toMatchObject({ code: 'STACK_NOT_FOUND' });
  await expect.poll(out).toContain('"state":"stopped"');
  await removeStack(await locateStack(place, 'dev'), { force: true });
  await ended;
  expect(out().trim().split('\n')).toHaveLength(1);
});
