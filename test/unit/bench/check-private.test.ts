import { describe, expect, it } from 'vitest';
import { readDatatype, readDefinition } from '../../../src/bench/check/facts/datatypes.js';
import { readMessage } from '../../../src/bench/check/facts/facts.js';
import { maskedValue, readGroup } from '../../../src/bench/check/facts/groups.js';
import type { Invariant, PartyRecord, Recording } from '../../../src/bench/check/recording.js';
import { check, formatFindings } from '../../../src/bench/check.js';
import {
  a0,
  a1,
  aPrivateRecording,
  b0,
  datatypeText,
  definitionText,
  groupText,
  pinOrder,
  pinsOf,
  secretEvent,
  servedSecret,
  unpinned,
  valueOf,
} from './a-private-recording.js';
import { anId } from './a-recording.js';

const good = aPrivateRecording();

function with_(changes: Partial<Recording>): Recording {
  return { ...good, ...changes };
}

function withParty(name: string, change: (party: PartyRecord) => Partial<PartyRecord>): Recording {
  return with_({
    parties: good.parties.map((party) => (party.name === name ? { ...party, ...change(party) } : party)),
  });
}

const [a0Batch, b0Batch, a1Batch] = pinOrder.map(([, batch]) => batch);
const swapped = [secretEvent(b0, b0Batch ?? '', 1), secretEvent(a0, a0Batch ?? '', 2)];
const searches = good.searches ?? [];

const damages: Readonly<Partial<Record<Invariant, readonly (readonly [string, Recording])[]>>> = {
  I1: [
    ['a message is not at a member', withParty('bob', ({ messages }) => ({ messages: messages.slice(1) }))],
    ['an unpinned message is not there', withParty('bob', ({ messages }) => ({ messages: messages.slice(0, -1) }))],
  ],
  I2: [
    [
      'an unpinned message has two events',
      withParty('bob', ({ connections }) => ({ connections: [...connections, [secretEvent(unpinned, '', 9)]] })),
    ],
    ['a message is listed twice', withParty('bob', ({ messages }) => ({ messages: [...messages, ...messages] }))],
  ],
  I3: [
    ['members decide in different orders', withParty('bob', () => ({ connections: [swapped] }))],
    [
      'a member overtakes across a reconnect',
      withParty('bob', () => ({
        connections: [[secretEvent(a1, a1Batch ?? '', 1)], [secretEvent(a0, a0Batch ?? '', 2)]],
      })),
    ],
  ],
  I4: [
    ['all decide against the chain', with_({ pins: pinsOf([...pinOrder].reverse()) })],
    ['a decided message has no pin', with_({ pins: good.pins.slice(0, 2) })],
    [
      'a pin is not that of its author',
      with_({
        pins: good.pins.map((pin) => (pin.batchId === b0Batch ? { ...pin, contexts: [valueOf('bob', 200)] } : pin)),
        parties: good.parties.map((party) => ({
          ...party,
          messages: party.messages.map((message) =>
            message.id === b0.id ? { ...message, pins: [valueOf('bob', 200)] } : message,
          ),
        })),
      }),
    ],
  ],
  I7: [
    [
      'a download has other bytes',
      withParty('bob', ({ downloads = [] }) => ({ downloads: downloads.map((each) => ({ ...each, hash: '00' })) })),
    ],
    [
      'a group has not the hash of its members',
      withParty('bob', () => ({ groups: [readGroup(groupText.replace('org/bob', 'org/bab'))] })),
    ],
    [
      'an unpinned message has pins',
      withParty('bob', () => ({ messages: [readMessage(servedSecret(unpinned, '', { pins: '["00"]' }))] })),
    ],
    [
      'another file is named than was sent',
      with_({ sends: good.sends.map((send) => (send.id === a1.id ? { ...send, blobHashes: ['00'] } : send)) }),
    ],
  ],
  I8: [
    [
      'a canary is in the data of another',
      with_({ searches: searches.map((search) => ({ ...search, hits: search.party === null ? [] : ['node.db'] })) }),
    ],
    [
      'a canary is on the chain',
      with_({ searches: searches.map((search) => ({ ...search, hits: search.party === null ? ['log 3'] : [] })) }),
    ],
    ['a message is at another', withParty('carol', () => ({ messages: [readMessage(servedSecret(unpinned, ''))] }))],
    ['a group is known to another', withParty('carol', () => ({ groups: [readGroup(groupText)] }))],
  ],
  I10: [
    [
      'another definition has won elsewhere',
      withParty('bob', () => ({ datatypes: [readDatatype(datatypeText.replace(anId(81), anId(82)))] })),
    ],
    [
      'a loser is not decided',
      withParty('bob', () => ({
        definitions: [definitionText(anId(82), 'ready')].flatMap((text) => readDefinition(text) ?? []),
      })),
    ],
    ['a datatype is missing', withParty('bob', () => ({ datatypes: [] }))],
    [
      'a schema has not its hash',
      withParty('bob', () => ({ datatypes: [readDatatype(datatypeText.replace('"object"', '"string"'))] })),
    ],
  ],
};

function statusOf(recording: Recording, invariant: Invariant): string | undefined {
  return check(recording).find((finding) => finding.invariant === invariant)?.status;
}

describe('the checker of private traffic', () => {
  it('accepts a good recording and counts what it has seen', () => {
    expect(formatFindings(check(good).filter(({ status }) => status === 'VIOLATED'))).toBe('');
    for (const invariant of Object.keys(damages)) {
      expect([invariant, statusOf(good, invariant as Invariant)]).toEqual([invariant, 'ok']);
    }
  });

  for (const [invariant, recordings] of Object.entries(damages)) {
    for (const [what, damaged] of recordings) {
      it(`finds ${invariant} broken when ${what}`, () => {
        expect(statusOf(damaged, invariant as Invariant)).toBe('VIOLATED');
      });
    }
  }

  it('does not expect a private message at others, and expects each broadcast at a late party', () => {
    expect(statusOf(good, 'I1')).toBe('ok');
    const sends = good.sends.map(({ members: _members, ...send }) => send);
    expect(statusOf(with_({ sends }), 'I1')).toBe('VIOLATED');
  });

  it('has no evidence of privacy if nothing was searched and no party was excluded', () => {
    const everyone = good.sends.map((send) => ({ ...send, members: ['alice', 'bob', 'carol'] }));
    const empty = searches.map((search) => ({ ...search, searchedBytes: 0 }));
    expect(statusOf(with_({ sends: everyone, searches: [] }), 'I8')).toBe('NO EVIDENCE');
    expect(statusOf(with_({ sends: everyone, searches: empty }), 'I8')).toBe('NO EVIDENCE');
  });

  it('has no evidence of order if no chain was read', () => {
    expect(statusOf(with_({ pins: [] }), 'I4')).toBe('NO EVIDENCE');
  });

  it('computes the hash of a group and of private pins as in the published vectors', () => {
    expect(readGroup(groupText).hash).toBe('26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f');
    expect(readGroup(groupText).damage).toEqual([]);
    const first = maskedValue('orders', readGroup(groupText).hash, 'did:parley:org/alice', 0);
    expect(first).toBe('bff816b8853742fa432072b8dd749f1f270605ab7405f1389f80b66d787ca4a4');
  });
});
