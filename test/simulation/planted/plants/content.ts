import type { Plant } from '../plant.js';

const fetch = 'src/pipeline/receive/messages/fetch.js';
const receive = 'src/pipeline/receive/messages/batch.js';
const rows = 'src/pipeline/receive/messages/batch-rows.js';
const exact = 'src/pipeline/state/messages/exact.js';
const verify = 'src/domain/messages/verify.js';

/** Bugs in what comes from the store and from other members. */
export const contentPlants: readonly Plant[] = [
  {
    id: 'P32',
    bug: 'a batch is known by its id alone',
    patches: [
      {
        file: 'src/pipeline/receive/chain/pin.js',
        find: 'return `${batchId}/${batchHash}/${signer}`;',
        replace: 'return batchId;',
      },
      {
        file: exact,
        find: `await database.exact('batches', ['id', 'hash', 'signer'], names)`,
        replace: `await database.rows('batches', { id: names.map(({ id }) => id) }, { limit: 1_000 })`,
      },
    ],
  },
  {
    id: 'P33',
    bug: 'a batch of which something is here already cannot be written',
    patches: [
      { file: rows, find: `await unit.put('messages', messages)`, replace: `await unit.insert('messages', messages)` },
    ],
  },
  {
    id: 'P34',
    bug: 'a download is not compared with the pinned hash',
    patches: [{ file: fetch, find: 'if (sha256(fetched) !== batch.hash)', replace: 'if (false)' }],
  },
  {
    id: 'P35',
    bug: 'a download that finds nothing is given up',
    patches: [{ file: fetch, find: `? 'unreachable' : 'unavailable'`, replace: `? 'unreachable' : 'failed'` }],
  },
  {
    id: 'P46',
    bug: 'a batch that is invalid for its hash is looked for again and again',
    patches: [
      {
        file: fetch,
        find: `if (verdict.status === 'void')`,
        replace: `if (verdict.status === 'void') return { status: 'later', error: verdict.reason };
          if (verdict.status === 'void')`,
      },
    ],
  },
  {
    id: 'P47',
    bug: 'a value is written anew from what was parsed',
    patches: [
      {
        file: 'src/pipeline/state/data/data-row.js',
        find: 'value = noValue, datatype, blob } = item;',
        replace: `datatype, blob } = item;
          const value = item.value === undefined ? noValue : JSON.stringify(JSON.parse(item.value));`,
      },
    ],
  },
  {
    id: 'Q12',
    bug: 'a message is found by its id alone',
    patches: [
      {
        file: exact,
        find: `return byReference(await database.exact('messages', ['id', 'hash'], references), scope);`,
        replace: foundById('messages'),
      },
      {
        file: exact,
        find: `return byReference(await database.exact('data', ['id', 'hash', 'seal'], sealed), scope);`,
        replace: foundById('data'),
      },
    ],
  },
  {
    id: 'Q13',
    bug: 'the contexts of a pin are not compared with the messages',
    patches: [{ file: verify, find: 'sameList(contexts, facts.contexts)', replace: 'true' }],
  },
  {
    id: 'Q14',
    bug: 'anybody may write in the name of another',
    patches: [{ file: verify, find: 'payload.author !== facts.identity', replace: 'false' }],
  },
  {
    id: 'Q15',
    bug: 'contexts are not looked at when their batch arrives',
    patches: [
      {
        file: receive,
        find: 'await markDue(unit, contexts); await markPinsDue(unit, batch);',
        replace: '',
      },
    ],
  },
  {
    id: 'Q16',
    bug: 'data is looked for by whoever sends it, and not stored with its message',
    patches: [{ file: rows, find: `await unit.put('data', data);`, replace: '' }],
  },
  {
    id: 'Q17',
    bug: 'hashes of messages are not recomputed',
    patches: [
      { file: 'src/domain/messages/message.js', find: 'hashOfReferences(data) !== header.datahash', replace: 'false' },
      { file: 'src/domain/messages/message.js', find: 'hashOfHeader(header) !== message.hash', replace: 'false' },
    ],
  },
  {
    id: 'P37',
    bug: 'a blob has its row before it has its name',
    patches: [
      {
        file: 'src/pipeline/blobs/blobs.js',
        find: 'await files.rename(file, blobFile(blob.hash));',
        replace: '',
      },
      {
        file: 'src/pipeline/blobs/blobs.js',
        find: "await failpoint.reach('blob.after-row');",
        replace: `await files.rename(file, blobFile(blob.hash));
          await failpoint.reach('blob.after-row');`,
      },
    ],
  },
  {
    id: 'Q29',
    bug: 'the winner of a datatype is whichever definition is decided last',
    patches: [
      {
        file: 'src/pipeline/aggregate/define/datatype.js',
        find: 'if ((await known.find(namespace, record, undefined)) !== undefined)',
        replace: 'if (false)',
      },
    ],
  },
];

function foundById(table: 'messages' | 'data'): string {
  return `
    const rows = await database.rows('${table}', { id: references.map(({ id }) => id) }, { limit: 1_000 });
    const own = rows.filter(({ namespace }) => scope === undefined || namespace === scope.namespace);
    const byId = new Map(own.map((row) => [row.id, row]));
    return new Map(references.map((each) => [referenceKey(each), byId.get(each.id)]));`;
}
