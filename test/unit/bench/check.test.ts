import { id as keccakText } from 'ethers';
import { describe, expect, it } from 'vitest';
import { batchPinTopic } from '../../../src/bench/check/chain-log.js';
import { readMessage } from '../../../src/bench/check/facts/facts.js';
import type { Invariant, PartyRecord, Recording } from '../../../src/bench/check/recording.js';
import { check, exitCodeOf, formatFindings } from '../../../src/bench/check.js';
import {
  aGoodRecording,
  anId,
  delivered,
  first,
  firstBatch,
  second,
  secondBatch,
  served,
  third,
} from './a-recording.js';

const seen: readonly Invariant[] = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I9', 'I12', 'I14', 'blocks'];

/** Returns the good recording with bob's part changed. */
function withBob(change: (bob: PartyRecord) => Partial<PartyRecord>): Recording {
  const good = aGoodRecording();
  return {
    ...good,
    parties: good.parties.map((party) => (party.name === 'bob' ? { ...party, ...change(party) } : party)),
  };
}

function with_(changes: Partial<Recording>): Recording {
  return { ...aGoodRecording(), ...changes };
}

const [e1, e2, e3] = [
  delivered(first, firstBatch, 7),
  delivered(second, firstBatch, 8),
  delivered(third, secondBatch, 11),
];
const swapped = [delivered(second, firstBatch, 7), delivered(first, firstBatch, 8)];
const good = aGoodRecording();

const damages: Readonly<Partial<Record<Invariant, readonly [Recording, Recording]>>> = {
  I1: [
    withBob(({ messages }) => ({ messages: messages.slice(1) })),
    withBob(() => ({
      messages: [third, second, first].map((message) => readMessage(served(message, firstBatch, { state: '"ready"' }))),
    })),
  ],
  I2: [
    withBob(({ messages }) => ({ messages: [...messages, ...messages.slice(0, 1)] })),
    withBob(() => ({ connections: [[e1, e2, { ...e1, id: anId(77), sequence: 12 }], [e3]] })),
  ],
  I3: [
    withBob(() => ({ connections: [swapped, [e3]] })),
    withBob(() => ({ connections: [[e1, delivered(third, secondBatch, 8)], [delivered(second, firstBatch, 11)]] })),
  ],
  I4: [withBob(() => ({ connections: [swapped, [e3]] })), with_({ pins: good.pins.slice(0, 1) })],
  I5: [
    with_({ sends: good.sends.map((send) => (send.id === first.id ? { ...send, sentMs: 40, acceptedMs: 45 } : send)) }),
    with_({
      sends: good.sends.map((send) => (send.id === second.id ? { ...send, sentMs: 90, acceptedMs: 95 } : send)),
    }),
  ],
  I6: [
    withBob(({ messages }) => ({ messages: messages.map((message) => ({ ...message, state: 'rejected' })) })),
    withBob(() => ({ connections: [[e1, delivered(second, firstBatch, 8, 'message_rejected')], [e3]] })),
  ],
  I7: [
    withBob(() => ({ messages: [readMessage(served({ ...first, value: '{"number":1,"price":1.5}' }, firstBatch))] })),
    with_({ sends: good.sends.map((send) => ({ ...send, valueHashes: ['00'] })) }),
  ],
  I9: [
    withBob(() => ({ connections: [[e2, e1], [e3]] })),
    withBob(() => ({ connections: [[e1, { ...e3, sequence: 7 }]] })),
  ],
  I12: [
    withBob(() => ({ pending: 1 })),
    withBob(({ messages }) => ({ messages: messages.map((message) => ({ ...message, state: 'ready' })) })),
  ],
  I14: [
    withBob(({ messages }) => ({ messages: messages.map((message) => ({ ...message, confirmed: 'later' })) })),
    withBob(() => ({ connections: [[e1, e2], [{ ...e3, sequence: 3 }]] })),
  ],
  blocks: [
    with_({ blocks: [{ number: 4, seen: '0xabc', now: '0xdef' }] }),
    with_({ blocks: [{ number: 4, seen: '0xabc', now: null }] }),
  ],
};

function statusOf(recording: Recording, invariant: Invariant): string | undefined {
  return check(recording).find((finding) => finding.invariant === invariant)?.status;
}

describe('the checker', () => {
  it('accepts a good recording and counts what it has seen', () => {
    const findings = check(aGoodRecording());
    expect(formatFindings(findings.filter(({ status }) => status === 'VIOLATED'))).toBe('');
    for (const invariant of seen) expect(statusOf(aGoodRecording(), invariant)).toBe('ok');
    expect(exitCodeOf(findings, seen)).toBe(0);
  });

  for (const invariant of seen) {
    it(`refuses two recordings that break ${invariant}`, () => {
      for (const damaged of damages[invariant] ?? []) {
        const findings = check(damaged);
        const finding = findings.find((each) => each.invariant === invariant);
        expect(finding?.status).toBe('VIOLATED');
        expect(finding?.proof).not.toBeNull();
        expect(exitCodeOf(findings, seen)).toBe(1);
      }
      expect(damages[invariant]).toHaveLength(2);
    });
  }

  it('reports missing evidence for what it has not seen', () => {
    const nothing: Recording = { sends: [], parties: [], pins: [], payloads: new Map(), blocks: [] };
    const findings = check(nothing);
    expect(findings.every(({ status }) => status === 'NO EVIDENCE')).toBe(true);
    expect(exitCodeOf(findings, seen)).toBe(2);
    for (const invariant of ['I8', 'I10', 'I11', 'I13'] as const) {
      expect(statusOf(aGoodRecording(), invariant)).toBe('NO EVIDENCE');
    }
  });

  it('does not check the order of payloads that are unknown', () => {
    const findings = check(with_({ payloads: new Map() }));
    expect(findings.find(({ invariant }) => invariant === 'I4')?.status).toBe('NO EVIDENCE');
  });

  it('looks for the pin log under the hash of its signature', () => {
    expect(batchPinTopic).toBe(keccakText('BatchPin(address,bytes32,bytes32,string,bytes32[])'));
  });
});
