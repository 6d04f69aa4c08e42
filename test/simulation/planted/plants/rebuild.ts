import { firstLocalRecordSeed, firstMixedSeed, firstReorganisationSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

const batches = 'src/pipeline/rebuild/messages/batches.js';
const rebuild = 'src/pipeline/rebuild/rebuild.js';
const from = firstReorganisationSeed;

/** Bugs of what a node takes back when the chain has replaced blocks. */
export const rebuildPlants: readonly Plant[] = [
  {
    id: 'P60',
    bug: 'a rebuild leaves the verdicts of blocks that are gone',
    patches: [{ file: batches, find: 'await takeBackVerdicts(unit, messages);', replace: '' }],
    from,
  },
  {
    id: 'P61',
    bug: 'a rebuild does not expect again the masked pins that it takes back',
    patches: [{ file: batches, find: 'await undoTurns(unit, pins);', replace: '' }],
    from,
  },
  {
    id: 'P62',
    bug: 'a rebuild drops the payload of a private batch, which its author may have brought again before',
    patches: [{ file: batches, find: 'await keepPayload(unit, batch, undoing);', replace: ';' }],
    from,
  },
  {
    id: 'P63',
    bug: 'calls of blocks that are gone are not sent again',
    patches: [{ file: rebuild, find: 'await reopenCalls(undoing);', replace: '' }],
    from,
  },
  {
    id: 'P64',
    bug: 'a call counts as mined by its receipt, although the chain has its nonce free again',
    patches: [
      {
        file: 'src/pipeline/rebuild/calls.js',
        find: `block > after || (await isUsed(operation)) === 'no'`,
        replace: 'block > after',
      },
    ],
    from,
  },
  {
    id: 'P65',
    bug: 'the messages of a batch are forgotten with a copy of it that another key has pinned',
    patches: [
      { file: batches, find: '`${id}/${hash}/${signer}`));', replace: '`${id}/${hash}`));' },
      {
        file: batches,
        find: 'names.has(`${batch}/${batchHash}/${key}`)',
        replace: 'names.has(`${batch}/${batchHash}`)',
      },
    ],
    from,
  },
  {
    id: 'P66',
    bug: 'a rebuild goes back to the newest pin, whether its block is on the chain or not',
    patches: [
      {
        file: 'src/pipeline/rebuild/kept-block.js',
        find: 'return isOnChain ? { block, blockHash } : undefined;',
        replace: 'return { block, blockHash };',
      },
    ],
    from,
  },
  {
    id: 'P67',
    bug: 'a rebuild leaves the definitions of blocks that are gone',
    patches: [{ file: batches, find: 'await undoDefinitions(unit, messages,', replace: 'void (unit, messages,' }],
    from,
  },
  {
    id: 'P68',
    bug: 'the payload of a void private batch is dropped, although other blocks may need it',
    patches: [
      {
        file: 'src/pipeline/receive/messages/candidate.js',
        find: 'isTaken ||= judged?.isVoid === false;',
        replace: 'isTaken ||= judged !== undefined;',
      },
    ],
    from,
  },
  {
    id: 'P69',
    bug: 'a call takes the nonce of one whose block is gone',
    patches: [
      {
        file: 'src/pipeline/dispatch/chain/signing.js',
        find: 'if (nonce < count) return count;',
        replace: 'if (true) return count;',
      },
    ],
    from,
  },
  {
    id: 'P89',
    bug: 'a private batch is not requested of its author by those who have deleted what came with it',
    patches: [
      {
        file: 'src/pipeline/rebuild/messages/candidates.js',
        find: 'return requestBatch(unit, batch, node, parts);',
        replace: 'return;',
      },
    ],
    from: firstMixedSeed,
  },
  {
    id: 'P90',
    bug: 'an open operation of tokens fails whose pool is to be read again',
    patches: [{ file: 'src/pipeline/rebuild/calls.js', find: 'await letOpenCallsWait(database);', replace: '' }],
    from: firstLocalRecordSeed,
  },
  {
    id: 'P91',
    bug: 'the effect of a call is absent for good where the block of its receipt was replaced',
    patches: [
      {
        file: 'src/pipeline/dispatch/chain/chain-call.js',
        find: 'absences.get(operation.id) !== place',
        replace: 'false',
      },
    ],
    from: firstMixedSeed,
  },
  {
    id: 'P92',
    bug: 'an item without a datatype is put back without its file',
    patches: [
      {
        file: 'src/pipeline/state/messages/reopened.js',
        find: 'item?.datatype === undefined ?',
        replace: 'item === undefined ?',
      },
    ],
    from: firstMixedSeed,
  },
  {
    id: 'P94',
    bug: 'a transfer of this node that is read again gets another id',
    patches: [
      {
        file: 'src/pipeline/receive/tokens/own.js',
        find: `before?.output?.['protocolId'] === each.protocolId`,
        replace: 'false',
      },
    ],
    from: firstLocalRecordSeed,
  },
  {
    id: 'P95',
    bug: 'a pool that its creator had before is deleted with its rejected definition',
    patches: [
      {
        file: 'src/pipeline/state/tokens/withdraw-pool.js',
        find: `if (row.state === 'known' && !(await isCreatedHere(unit, row, { publish: false })))`,
        replace: 'if (true)',
      },
    ],
    from: firstLocalRecordSeed,
  },
];
