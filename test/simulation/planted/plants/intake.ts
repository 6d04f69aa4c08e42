import type { Plant } from '../plant.js';

const accept = 'src/pipeline/accept/messages/message.js';
const stored = 'src/pipeline/accept/messages/store.js';
const seal = 'src/pipeline/batch/seal.js';
const aggregate = 'src/pipeline/aggregate/aggregate.js';
const contexts = 'src/pipeline/aggregate/contexts.js';
const record = 'src/pipeline/aggregate/record.js';

/** Bugs of acceptance and of events. */
export const intakePlants: readonly Plant[] = [
  {
    id: 'P13',
    bug: 'the event is written in a transaction of its own, after the decision',
    patches: [
      { file: record, find: `await unit.insert('events',`, replace: `decisions.events = (` },
      {
        file: aggregate,
        find: `await failpoint.reach('confirm.after-commit');`,
        replace: `await database.transaction((unit) => unit.insert('events', decisions.events));`,
      },
      { file: aggregate, find: 'needs: unitJudge.needs(),', replace: 'events: made.events, needs: unitJudge.needs(),' },
    ],
  },
  {
    id: 'P14',
    bug: 'a message that comes again in another batch has another event',
    patches: [
      {
        file: contexts,
        find: `if (message.state === 'ready' && !finding.decided`,
        replace: 'if (!finding.decided',
      },
      { file: contexts, find: `assert(decidedAt(message) === null, 'a message is decided once');`, replace: '' },
      { file: record, find: `assert(changed === sequences.length, 'a message is decided once');`, replace: '' },
    ],
  },
  {
    id: 'P23',
    bug: 'a request is answered before it is committed',
    patches: [
      {
        file: accept,
        find: 'const { bells, conclude } = await parts.database.transaction(',
        replace: `const { bells, conclude } = { bells: ['messages'] };
          const begin = (unit) => void parts.database.transaction(unit).catch(() => undefined);
          begin(`,
      },
    ],
  },
  {
    id: 'P24',
    bug: 'a batch is sealed in two transactions',
    patches: [
      {
        file: seal,
        find: 'const isStored = await database.transaction(async (unit) => {',
        replace: `await database.transaction((unit) => storeSealing({ ...parts, half: 1 }, unit, sealing));
          parts = { ...parts, half: 2 };
          const isStored = await database.transaction(async (unit) => {`,
      },
      {
        file: seal,
        find: 'if (await hasSealed(unit, sealing)) return false;',
        replace: '',
      },
      {
        file: seal,
        find: 'async function storeSealing({ random }, unit, sealing) {',
        replace: 'async function storeSealing({ random, half }, unit, sealing) {',
      },
      {
        file: seal,
        find: `await unit.insert('batches', [newBatch(sealing, namespace)]);`,
        replace: `if (half !== 2) await unit.insert('batches', [newBatch(sealing, namespace)]);`,
      },
      {
        file: seal,
        find: `await unit.insert('payloads', [{ namespace, hash: batch.hash, text: batch.payload }]);`,
        replace: `if (half !== 2) await unit.insert('payloads', [{ namespace, hash: batch.hash, text: batch.payload }]);
          if (half === 1) return;`,
      },
    ],
  },
  {
    id: 'P8',
    bug: 'the nonces of a batch are not stored with it',
    patches: [{ file: seal, find: 'await countNonces(unit, sealing, group);', replace: '' }],
  },
  {
    id: 'P9',
    bug: 'nonces begin anew with every batch',
    patches: [{ file: seal, find: 'const nonces = new Map(known);', replace: 'const nonces = new Map();' }],
  },
  {
    id: 'P25',
    bug: 'a batch is filled beyond what it may hold',
    patches: [{ file: 'src/domain/messages/batch.js', find: 'bytes > maxBytes', replace: 'false' }],
  },
  {
    id: 'P27',
    bug: 'whether an idempotency key is used is read outside of the unit only',
    patches: [{ file: stored, find: 'await recheckKey(unit);', replace: '' }],
  },
  {
    id: 'P48',
    bug: 'the time of a decision is written again when its message comes again',
    patches: [
      {
        file: contexts,
        find: `if (message.state === 'ready' && !finding.decided`,
        replace: 'if (!finding.decided',
      },
      { file: contexts, find: `assert(decidedAt(message) === null, 'a message is decided once');`, replace: '' },
      { file: record, find: `sequence: sequences, state: 'ready' }`, replace: 'sequence: sequences }' },
      {
        file: record,
        find: 'decided.flatMap((decision) => newEvents(',
        replace: `decided.filter(({ message }) => message.state === 'ready').flatMap((decision) => newEvents(`,
      },
    ],
  },
  {
    id: 'Q9',
    bug: 'an idempotency key is not stored',
    patches: [
      {
        file: 'src/pipeline/state/messages/message-row.js',
        find: 'idempotencyKey = null } = place;',
        replace: 'idempotencyKey: _ } = place; const idempotencyKey = null;',
      },
    ],
  },
  {
    id: 'Q10',
    bug: 'one event more than the window has room for is on its way',
    patches: [{ file: 'src/domain/events/window.js', find: 'options.readAhead + 1', replace: 'options.readAhead + 2' }],
  },
  {
    id: 'Q11',
    bug: 'what is left over of a page of events is not delivered',
    patches: [
      {
        file: 'src/pipeline/deliver/events/search.js',
        find: 'if (taken < found.length && taken < maxTaken) return; found = found.slice(taken);',
        replace: 'found = [];',
      },
    ],
  },
];
