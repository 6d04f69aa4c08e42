import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { complete } from '../../../../src/cli/complete/complete.js';
import type { KnownCommands } from '../../../../src/cli/complete/words.js';
import { createStack } from '../../../../src/stack/create.js';
import { aPlace } from '../../stack/fixtures/place.js';

const option = { type: 'option', name: '', multiple: false, input: [] } as const;
const none = { aliases: [], hiddenAliases: [], hidden: false, strict: true, flags: {}, args: {} };
const known = {
  bin: 'stack',
  commands: [
    { ...none, id: 'start', args: { NAME: { name: 'NAME', description: 'name of the stack' } } },
    {
      ...none,
      id: 'send',
      flags: { party: { ...option, name: 'party' }, url: { ...option, name: 'url' }, pool: option },
    },
    { ...none, id: 'config:set', args: { SETTING: { name: 'SETTING', description: 'dotted.path=value' } } },
    { ...none, id: 'trigger', args: { NAME: { name: 'NAME', description: 'name or path of a trigger' } } },
    { ...none, id: 'init', flags: { template: { ...option, name: 'template', char: 't' } } },
    {
      ...none,
      id: 'stop',
      args: { NAME: { name: 'NAME', description: 'names of stacks' } },
      flags: { party: { ...option, name: 'party' }, stack: { ...option, name: 'stack' } },
    },
    { ...none, id: 'template:new', flags: { from: { ...option, name: 'from' } } },
    { ...none, id: 'node:rebuild', flags: { from: { ...option, name: 'from' } } },
  ],
} as unknown as KnownCommands & { bin: string };

async function completed(line: string, environment = {}): Promise<string[]> {
  const place = aPlace();
  await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
  const text = await complete(line.split(' '), known, {
    STACK_HOME: place.home,
    STACK_COMPLETION_TIMEOUT: '1m',
    ...environment,
  });
  return text.split('\n').flatMap((each) => (each === '' ? [] : [each.split('\t')[0] ?? '']));
}

describe('Completion', () => {
  test.each([
    ['start ', ['dev']],
    ['start x', []],
    ['send --party ', ['alice', 'bob']],
    ['send --party=b', ['--party=bob']],
    ['config set logs.m', ['logs.maxBytes=', 'logs.maxFiles=']],
    ['init -t t', ['tokens']],
    ['trigger da', ['datatype', 'datatype-race']],
  ])('of %j knows %j without a network that runs', async (line, values) => {
    expect(await completed(line)).toEqual(values);
  });

  test.each([
    ['stop other --party ', ['carol']],
    ['stop other --stack dev --party ', ['alice', 'bob']],
    ['template new --from t', ['tokens']],
    ['node rebuild --from ', []],
  ])('of %j knows %j where two stacks are', async (line, values) => {
    const place = aPlace();
    const create = (name: string, parties: readonly string[]) =>
      createStack(place, { name, template: 'minimal', parties, workingDirectory: '/' });
    await create('dev', ['alice', 'bob']);
    await create('other', ['carol']);
    const environment = { STACK_HOME: place.home, STACK_NAME: 'dev', STACK_COMPLETION_TIMEOUT: '1m' };
    const text = await complete(line.split(' '), known, environment);
    expect(text.split('\n').flatMap((each) => (each === '' ? [] : [each.split('\t')[0]]))).toEqual(values);
  });

  test('has no suggestions, and no error, if a node does not answer in time', async () => {
    const silent = createServer(() => undefined);
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const line = `send --url http://127.0.0.1:${port} --pool `;
    expect(await completed(line, { STACK_COMPLETION_TIMEOUT: '50ms' })).toEqual([]);
    silent.closeAllConnections();
    silent.close();
  });
});
