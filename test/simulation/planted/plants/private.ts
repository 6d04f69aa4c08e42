import type { Plant } from '../plant.js';

const peer = 'src/pipeline/receive/messages/peer.js';
const outbox = 'src/pipeline/operations/outbox.js';

/** Bugs of what goes from node to node, and must go nowhere else. */
export const privatePlants: readonly Plant[] = [
  {
    id: 'P29',
    bug: 'an envelope is acknowledged before it is committed',
    patches: [
      {
        file: peer,
        find: 'const received = await database.transaction(',
        replace: `void database.transaction((unit) => receive(unit, sender, opened, { ...parts, members })).then(
            ({ bells }) => bus.ring(...bells), () => undefined);
          return { status: 'stored' };
          const received = await database.transaction(`,
      },
    ],
  },
  {
    id: 'P30',
    bug: 'an envelope has gone once it was sent, whatever the answer',
    patches: [
      {
        file: 'src/pipeline/dispatch/peer.js',
        find: 'const answer = await dataExchange.send(known, envelope, signal);',
        replace: `await dataExchange.send(known, envelope, signal).catch(() => undefined);
          const answer = { status: 'stored' };`,
      },
    ],
  },
  {
    id: 'Q20',
    bug: 'the payload of a private batch is uploaded to the shared store',
    patches: [
      {
        file: 'src/pipeline/batch/seal.js',
        find: `...(group === undefined ? { type: 'sharedstorage_upload_batch'`,
        replace: `...(true ? { type: 'sharedstorage_upload_batch'`,
      },
    ],
  },
  {
    id: 'Q21',
    bug: 'a private batch that came before its pin is not looked at when the pin comes',
    patches: [
      {
        file: 'src/pipeline/receive/chain/pin.js',
        find: 'await takeCandidates(unit, wanted, parts)',
        replace: '[]',
      },
    ],
  },
  {
    id: 'Q22',
    bug: 'a private batch that comes after its pin is kept and not looked at',
    patches: [{ file: peer, find: 'if (batches.length === 0) {', replace: 'if (true) {' }],
  },
  {
    id: 'Q23',
    bug: 'an unpinned message that comes again is stored again',
    patches: [
      {
        file: 'src/pipeline/receive/messages/unpinned.js',
        find: `if ((await exactMessages(unit, [{ id: header.id, hash: message.hash }], header)).size > 0)`,
        replace: 'if (false)',
      },
    ],
  },
  {
    id: 'Q24',
    bug: 'the first member of a group gets nothing',
    patches: [{ file: outbox, find: 'nodes.flatMap((peer) =>', replace: 'nodes.slice(1).flatMap((peer) =>' }],
  },
  {
    id: 'Q25',
    bug: 'a member that may not be known yet is refused for good',
    patches: [{ file: peer, find: `fault === 'unknown' ? later(`, replace: `fault === 'unknown' ? refused(` }],
  },
  {
    id: 'Q26',
    bug: 'a private context that a pin belongs to is not looked at when the pin comes',
    patches: [
      {
        file: 'src/pipeline/receive/chain/pin.js',
        find: 'const contexts = await expecting(unit, taken);',
        replace: 'const contexts = [];',
      },
    ],
  },
];
