import { firstDeletionSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

const file = 'src/pipeline/accept/data/remove.js';

/** Bugs of deletion, which only the seeds with users who delete can notice. */
export const deletionPlants: readonly Plant[] = [
  {
    id: 'P70',
    bug: 'an item is deleted though a message that has it is undecided',
    from: firstDeletionSeed,
    patches: [{ file, find: `if (await unit.has('messages',`, replace: `if (false && await unit.has('messages',` }],
  },
  {
    id: 'P71',
    bug: 'an item is deleted while an unpinned message that has it is on its way',
    from: firstDeletionSeed,
    patches: [{ file, find: 'if (await hasOpenSends(', replace: 'if (false && await hasOpenSends(' }],
  },
  {
    id: 'P72',
    bug: 'a file is deleted with one item while another has it',
    from: firstDeletionSeed,
    patches: [
      {
        file,
        find: `if (await unit.has('data', { namespace: every, blobHash: blob }))`,
        replace: 'if (false)',
      },
    ],
  },
  {
    id: 'P93',
    bug: 'a file counts as sent that its receiver has for something else, before its envelope is there',
    from: firstDeletionSeed,
    patches: [
      {
        file: 'src/pipeline/dispatch/blob.js',
        find: `answer.status === 'stored' && !isAnnounced ?`,
        replace: 'false ?',
      },
    ],
  },
];
