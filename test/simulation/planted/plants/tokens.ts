import { firstTokenSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

const record = 'src/pipeline/receive/tokens/record.js';
const chain = 'src/pipeline/receive/chain/chain.js';
const cursor = 'src/pipeline/state/chain/cursor.js';

/** Bugs of tokens, which only the seeds that have any can notice. */
export const tokenPlants: readonly Plant[] = [
  {
    id: 'P49',
    bug: 'a transfer that comes again is applied again',
    from: firstTokenSeed,
    patches: [
      { file: cursor, find: 'return row.block >= cursor.block;', replace: 'return false;' },
      { file: record, find: 'return isNew;', replace: 'return true;' },
      { file: record, find: `unit.insert('transfers',`, replace: `unit.put('transfers',` },
      { file: record, find: `unit.insert('blockchainevents',`, replace: `unit.put('blockchainevents',` },
    ],
  },
  {
    id: 'P50',
    bug: 'balances are added up as floats',
    from: firstTokenSeed,
    patches: [
      {
        file: 'src/domain/tokens/balance.js',
        find: 'return String(BigInt(balance) + by);',
        replace: 'return String(BigInt(Number(balance) + Number(by)));',
      },
    ],
  },
  {
    id: 'P51',
    bug: 'a message stays staged when its operation has failed',
    from: firstTokenSeed,
    patches: [
      {
        file: 'src/pipeline/dispatch/chain/token.js',
        find: 'const bells = await cancelMessages(unit, { type, id: tx }, { namespace, now });',
        replace: 'const bells = [];',
      },
    ],
  },
  {
    id: 'P52',
    bug: 'a message is released before its transfer',
    from: firstTokenSeed,
    patches: [
      {
        file: 'src/pipeline/accept/messages/message.js',
        find: `const state = parent === undefined ? 'ready' : 'staged';`,
        replace: `const state = 'ready';`,
      },
    ],
  },
  {
    id: 'Q40',
    bug: 'a page is taken that was read before a pool was followed',
    from: firstTokenSeed,
    patches: [{ file: chain, find: `if ((await revisionOf(unit)) > page.revision) return 'stale';`, replace: '' }],
  },
  {
    id: 'Q41',
    bug: 'a pool is followed although the chain went on while its history was read',
    from: firstTokenSeed,
    patches: [
      {
        file: 'src/pipeline/receive/chain/join.js',
        find: `if ((await readCursor(unit))?.block !== block) return 'behind';`,
        replace: '',
      },
    ],
  },
];
