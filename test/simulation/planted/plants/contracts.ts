import { firstContractSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

/** Bugs of interfaces and contract APIs, which only the seeds that share any can notice. */
export const contractPlants: readonly Plant[] = [
  {
    id: 'P77',
    bug: 'an interface is published under a name that another has',
    from: firstContractSeed,
    patches: [
      {
        file: 'src/pipeline/aggregate/define/interface.js',
        find: 'await refusalOfNames(parts, names)',
        replace: 'undefined',
      },
    ],
  },
  {
    id: 'P78',
    bug: 'an API is published though its interface is not',
    from: firstContractSeed,
    patches: [
      {
        file: 'src/pipeline/aggregate/define/api.js',
        find: 'if (!(await hasInterface(parts, namespace, its.id)))',
        replace: 'if (false)',
      },
    ],
  },
  {
    id: 'P79',
    bug: 'an API that is defined again keeps its interface',
    from: firstContractSeed,
    patches: [
      {
        file: 'src/pipeline/aggregate/define/api.js',
        find: '{ interface: its.id, message, pin }',
        replace: '{ message, pin }',
      },
    ],
  },
];
