import { firstListenerSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

const join = 'src/pipeline/receive/contracts/listener-join.js';

/** Bugs of listeners for events of contracts, which only the seeds with listeners can notice. */
export const listenerPlants: readonly Plant[] = [
  {
    id: 'P84',
    bug: 'a listener for the newest begins where the chain is when it joins',
    from: firstListenerSeed,
    patches: [
      {
        file: join,
        find: 'const firstBlock = row.firstBlock ?? cursor.block + 1;',
        replace: 'const firstBlock = row.options.includes("newest") ? cursor.block + 1 : row.firstBlock;',
      },
    ],
  },
  {
    id: 'P85',
    bug: 'the history of several contracts is told one contract after the other',
    from: firstListenerSeed,
    patches: [
      {
        file: 'src/pipeline/receive/chain/join.js',
        find: '[first, ...others].flat().sort(byPlace)',
        replace: '[first, ...others].flat()',
      },
    ],
  },
  {
    id: 'P86',
    bug: 'a listener that is deleted while it joins is told the rest of its history',
    from: firstListenerSeed,
    patches: [
      {
        file: join,
        find: 'isWanted: (unit) => isJoining(unit, row),',
        replace: 'isWanted: () => Promise.resolve(true),',
      },
    ],
  },
  {
    id: 'P87',
    bug: 'a log that does not decode as one filter says is kept from the others',
    from: firstListenerSeed,
    patches: [
      {
        file: 'src/pipeline/receive/contracts/listener.js',
        find: 'if (decoded !== undefined) return [{ listener, log, filter, ...decoded }];',
        replace: 'return decoded === undefined ? [] : [{ listener, log, filter, ...decoded }];',
      },
    ],
  },
];
