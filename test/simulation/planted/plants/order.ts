import type { Plant } from '../plant.js';

const lines = 'src/pipeline/aggregate/lines.js';
const contexts = 'src/pipeline/aggregate/contexts.js';
const turns = 'src/pipeline/aggregate/turns.js';
const batch = 'src/pipeline/batch/batch.js';
const pin = 'src/pipeline/receive/chain/pin.js';

/** Bugs of the one order that all members see. */
export const orderPlants: readonly Plant[] = [
  {
    id: 'P1',
    bug: 'earlier unspent pins are ignored',
    patches: [
      {
        file: lines,
        find: `spent: false, masked: false }, { limit: maxPins });`,
        replace: `spent: false, masked: false }, { limit: maxPins, newestFirst: true });`,
      },
    ],
  },
  {
    id: 'P2',
    bug: 'a message waits for its turn in its first topic only',
    patches: [
      { file: contexts, find: 'const contexts = contextsOfMessage(message);', replace: 'const contexts = [context];' },
    ],
  },
  {
    id: 'P3',
    bug: 'a private context is decided member by member, not pin by pin',
    patches: [
      {
        file: turns,
        find: 'earliest(turns.flatMap(({ pins, nonce }) => pins.get(nonce) ?? []))',
        replace: 'turns.flatMap(({ pins, nonce }) => pins.get(nonce) ?? [])[0]',
      },
    ],
  },
  {
    id: 'P4',
    bug: 'a context that waits for another is not looked at when that one moves',
    patches: [{ file: contexts, find: 'freed: contexts.filter((other) => other !== context)', replace: 'freed: []' }],
  },
  {
    id: 'P5',
    bug: 'the pins of a message are spent in one context only',
    patches: [
      {
        file: contexts,
        find: 'const spent = contexts.map((other) => lines.spend(other));',
        replace: 'const spent = [lines.spend(context)];',
      },
    ],
  },
  {
    id: 'P10',
    bug: 'a batch is sealed while another of its key is on its way',
    patches: [
      { file: batch, find: '.filter((key) => !busy.has(key))', replace: '' },
      { file: batch, find: '!sealed.some(({ signer, type })', replace: 'true || !sealed.some(({ signer, type })' },
    ],
  },
  {
    id: 'P11',
    bug: 'messages are sealed in the order of their clock times',
    patches: [
      {
        file: 'src/pipeline/batch/waiting.js',
        find: `return database.rows('messages', where, { limit });`,
        replace: `return database.rows('messages', where, { limit, by: 'created' });`,
      },
    ],
  },
  {
    id: 'P12',
    bug: 'the place of a log within its page is ignored',
    patches: [{ file: pin, find: 'for (const log of logs) {', replace: 'for (const log of [...logs].reverse()) {' }],
  },
  {
    id: 'P44',
    bug: 'a masked pin with the hash of a topic counts in that topic',
    patches: [
      { file: lines, find: 'spent: false, masked: false }', replace: 'spent: false }' },
      { file: 'src/domain/messages/head.js', find: 'if (!pin.spent && !pin.masked)', replace: 'if (!pin.spent)' },
    ],
  },
  {
    id: 'Q1',
    bug: 'the second pin of a batch takes a place',
    patches: [
      {
        file: pin,
        find: `if (batch === 'seen' || (batch !== undefined && isPinned(batch)))`,
        replace: `if (batch !== undefined && batch !== 'seen' && isPinned(batch))
          pins.push(...newPins(log, identity, parts.clock.now()));
          if (batch === 'seen' || (batch !== undefined && isPinned(batch)))`,
      },
    ],
  },
  {
    id: 'Q2',
    bug: 'pins of a void batch stay where they are',
    patches: [
      {
        file: 'src/pipeline/aggregate/contents.js',
        find: 'return { kind: batch.state, pin };',
        replace: `return { kind: 'wanted', pin };`,
      },
    ],
  },
  {
    id: 'Q3',
    bug: 'a message belongs to the batch that arrived first, not to the one that was pinned first',
    patches: [
      {
        file: 'src/pipeline/aggregate/record.js',
        find: 'if (message.batch !== batch.id || message.batchHash !== batch.hash)',
        replace: 'if (false)',
      },
    ],
  },
  {
    id: 'Q18',
    bug: 'the next pins that are expected stay as they were',
    patches: [{ file: 'src/pipeline/aggregate/record.js', find: 'await moveTurns(unit, moved);', replace: '' }],
  },
  {
    id: 'Q19',
    bug: 'the pins of a member are expected from its first nonce on, whatever was spent',
    patches: [
      {
        file: 'src/pipeline/aggregate/record.js',
        find: 'const changes = { nonce, hash: expectedAt(turn, nonce) };',
        replace: 'const changes = { nonce, hash: expectedAt(turn, 0) };',
      },
      { file: turns, find: 'readTo: row.nonce,', replace: 'readTo: 0,' },
    ],
  },
  {
    id: 'P6',
    bug: 'a message that is rejected does not use up its nonce',
    patches: [
      {
        file: 'src/pipeline/aggregate/record.js',
        find: 'await moveTurns(unit, moved);',
        replace: `if (!decided.some(({ message, verdict }) => message.group !== null && verdict.state === 'rejected'))
          await moveTurns(unit, moved);`,
      },
    ],
  },
  {
    id: 'P7',
    bug: 'what is void uses up two nonces',
    patches: [{ file: turns, find: 'turn.nonce++;', replace: 'turn.nonce += isMessage ? 1 : 2;' }],
  },
  {
    id: 'P45',
    bug: 'a datatype counts once it is known, wherever its definition stands',
    patches: [
      {
        file: 'src/pipeline/aggregate/define/known.js',
        find: '(place !== undefined && row.pin >= place)',
        replace: 'false',
      },
      {
        file: contexts,
        find: 'return place !== undefined && head.pin.sequence > place',
        replace: 'return true',
      },
    ],
  },
  {
    id: 'Q27',
    bug: 'of the nonces before a nonce, only the last must have been pinned',
    patches: [
      {
        file: 'src/pipeline/receive/messages/nonces.js',
        find: 'const isWhole = await areAllBefore(',
        replace: 'const isWhole = true || await areAllBefore(',
      },
    ],
  },
  {
    id: 'Q28',
    bug: 'a nonce may be used twice',
    patches: [{ file: 'src/domain/messages/verify.js', find: 'if (first.get(hash) !== place)', replace: 'if (false)' }],
  },
];
