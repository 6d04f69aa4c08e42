import { describe, expect, test } from 'vitest';
import { completionOf, type Completion, type KnownCommands } from '../../../../src/cli/complete/words.js';

const text = { type: 'option', name: '', multiple: false, input: [] } as const;
const yes = { type: 'boolean', name: '', allowNo: false } as const;
const none = { aliases: [], hiddenAliases: [], hidden: false, strict: true, flags: {}, args: {} };

const known = {
  commands: [
    {
      ...none,
      id: 'send',
      summary: 'Send.',
      args: { PAYLOAD: { name: 'PAYLOAD', description: 'JSON, text' } },
      flags: {
        to: { ...text, name: 'to', description: 'whom' },
        party: { ...text, name: 'party', char: 'p' },
        wait: { ...text, name: 'wait', options: ['none', 'all'] },
        topic: { ...text, name: 'topic', multiple: true },
        smoke: { ...yes, name: 'smoke', allowNo: true },
        old: { ...yes, name: 'old', hidden: true },
      },
    },
    { ...none, id: 'transfers', summary: 'List.', args: { ID: { name: 'ID', description: 'id of the transfer' } } },
    {
      ...none,
      id: 'transfers:get',
      summary: 'Get one.',
      args: { ID: { name: 'ID', description: 'id of the transfer' } },
    },
    { ...none, id: 'secret', hidden: true },
    {
      ...none,
      id: 'start',
      summary: 'Start.',
      hiddenAliases: ['up'],
      args: { NAME: { name: 'NAME', description: 'name of the stack' } },
    },
  ],
} as unknown as KnownCommands;

function valuesFor(line: string): unknown {
  const completion: Completion = completionOf(line.split(' '), known);
  return 'candidates' in completion ? completion.candidates.map(({ value }) => value) : completion.wanted;
}

describe('Completing', () => {
  test.each([
    ['', ['send', 'start', 'transfers']],
    ['s', ['send', 'start']],
    ['sec', []],
    ['nowhere ', []],
    ['transfers g', ['get']],
    ['send --t', ['--to', '--topic']],
    ['send --topic a --to bob --t', ['--topic']],
    ['send --n', ['--no-smoke']],
    ['send --o', []],
    ['send --wait ', ['none', 'all']],
    ['send --wait=a', ['--wait=all']],
    ['start dev -- npm ', []],
    ['start dev ', []],
  ])('%j offers %j', (line, values) => {
    expect(valuesFor(line)).toEqual(values);
  });

  test.each([
    ['send ', { kind: 'argument', name: 'JSON, text', typed: '', head: '', command: 'send' }],
    ['send x --to alice,bo', { kind: 'flag', name: 'to', typed: 'bo', head: 'alice,' }],
    ['send --to=alice,bo', { kind: 'flag', name: 'to', typed: 'bo', head: '--to=alice,' }],
    ['send -p ', { kind: 'flag', name: 'party', typed: '' }],
    ['send -p bob --topic ', { kind: 'flag', name: 'topic', given: new Map([['party', 'bob']]) }],
    ['transfers get 3f', { kind: 'argument', name: 'id of the transfer', typed: '3f', command: 'transfers get' }],
    ['transfers 3f', { kind: 'argument', name: 'id of the transfer', typed: '3f' }],
    ['up d', { kind: 'argument', name: 'name of the stack', typed: 'd' }],
  ])('%j asks for %j', (line, wanted) => {
    expect(valuesFor(line)).toMatchObject(wanted);
  });
});
