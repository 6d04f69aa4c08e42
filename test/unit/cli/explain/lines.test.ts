import { expect, it } from 'vitest';
import type { PartyView } from '../../../../src/cli/explain/view.js';
import { causeLines, lineOf, partyLines } from '../../../../src/cli/explain/lines.js';

const root = { code: 'link_cut', text: 'the link alice ↔ bob is cut', remedy: 'fault clear f1' } as const;
const first = { kind: 'message', id: '71d0', author: 'did:parley:org/alice', topic: 'orders' } as const;

function view(party: string, cause: PartyView['cause'], decided?: string): PartyView {
  return { party, state: decided === undefined ? 'ready' : 'confirmed', decided, cause };
}

it('A cause is shown once for all that it delays, with what comes first and what to do', () => {
  const cause = { ...root, behind: [first] };
  expect(causeLines([view('bob', cause), view('carol', cause), view('dave', undefined)], 'parley')).toEqual([
    'blocked: bob, carol wait for message 71d0 (alice, topic orders), which comes first; the link alice ↔ bob is cut',
    '  Try: parley fault clear f1',
  ]);
  expect(causeLines([view('bob', { ...root, behind: [], remedy: 'See that it runs.' })], 'stack')).toEqual([
    'blocked: at bob: the link alice ↔ bob is cut',
    '  See that it runs.',
  ]);
  const moving = { code: 'on_its_way', text: 'soon', behind: [] } as const;
  expect(causeLines([view('bob', moving)], 'stack')).toEqual(['on its way: at bob: soon']);
});

it('A cause is on one line with a command, or with a sentence', () => {
  expect(lineOf(root, 'parley')).toBe('the link alice ↔ bob is cut (parley fault clear f1)');
  expect(lineOf({ text: 'the chain is failed', remedy: 'Bring back the data.' }, 'parley')).toBe(
    'the chain is failed. Bring back the data.',
  );
});

it('Parties are aligned in columns', () => {
  const lines = partyLines([view('bob', undefined, '12:00'), view('carol', undefined)]);
  expect(lines).toEqual(['  bob    confirmed  12:00', '  carol  ready']);
});

it('Text from the network is shown escaped', () => {
  const evil = { ...root, text: 'a\u001b[2Jb', behind: [{ ...first, topic: 'x\u202ey' }] };
  expect(causeLines([view('bob', evil)], 'stack').join('')).not.toMatch(/[\u001b\u202e]/);
});
