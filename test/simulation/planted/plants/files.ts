import { firstSqliteSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

/** Bugs of the database in a file, which only the seeds that have one can notice. */
export const filePlants: readonly Plant[] = [
  {
    id: 'P75',
    bug: 'rows in memory keep what a unit has removed',
    from: firstSqliteSeed,
    patches: [
      {
        file: 'src/adapters/database/resident/store.js',
        find: 'below.remove(row);',
        replace: ';',
      },
    ],
  },
  {
    id: 'P76',
    bug: 'what a unit wrote that was rolled back is committed with the next one',
    from: firstSqliteSeed,
    patches: [
      {
        file: 'src/adapters/database/units/session.js',
        find: 'used = usedBefore;\n            startAnew();',
        replace: 'used = usedBefore;',
      },
    ],
  },
];
