import type { Plant } from '../plant.js';

const call = 'src/pipeline/dispatch/chain/chain-call.js';
const signing = 'src/pipeline/dispatch/chain/signing.js';
const chain = 'src/pipeline/receive/chain/chain.js';
const attempt = 'src/pipeline/operations/attempt.js';

/** Bugs between a node and the chain, and in the table of outside work. */
export const chainPlants: readonly Plant[] = [
  {
    id: 'P38',
    bug: 'after a lost reply a call is signed again with a new nonce',
    patches: [
      {
        file: call,
        find: 'const stored = known ?? (await calls.sign(',
        replace: 'const stored = (await calls.sign(',
      },
      {
        file: signing,
        find: 'const isOnce = signed.every(',
        replace: 'const isOnce = true || signed.every(',
      },
    ],
  },
  {
    id: 'P39',
    bug: 'the nonce of a call is used up although its signature was not stored',
    patches: [
      {
        file: signing,
        find: 'let nonce = await nonces.peek();',
        replace: `let nonce = await nonces.peek();
          nonces.isTaken(nonce + together.length);`,
      },
    ],
  },
  {
    id: 'P40',
    bug: 'the cursor is committed before its pins',
    patches: [
      {
        file: chain,
        find: 'if (isBehind(before, page.cursor)) return { ...nothingApplied, conclude: nothingToDo };',
        replace: '',
      },
      {
        file: chain,
        find: 'const applied = await storePage(',
        replace: `const known = await readCursor(database);
          if (isBehind(known, page.cursor)) return 'taken';
          await database.transaction((unit) => storeCursor(unit, known, page.cursor));
          const applied = await storePage(`,
      },
    ],
  },
  {
    id: 'Q4',
    bug: 'a call is sent before its signed bytes are stored',
    patches: [
      {
        file: signing,
        find: 'await database.transaction((unit) => storeAll(unit, signed));',
        replace: `for (const { stored } of signed) await blockchain.submit(stored.raw);
          await database.transaction((unit) => storeAll(unit, signed));`,
      },
    ],
  },
  {
    id: 'Q6',
    bug: 'operations of an earlier life are not taken up again',
    patches: [{ file: 'src/pipeline/operations/operate.js', find: 'await takeUp(database, lane);', replace: '' }],
  },
  {
    id: 'Q7',
    bug: 'an operation is done before what follows from it is committed',
    patches: [
      {
        file: attempt,
        find: '? write(unit) : [];',
        replace: '? [] : [];',
      },
      {
        file: attempt,
        find: 'bus.ring(...bells);',
        replace: `bus.ring(...bells);
          if (outcome.status === 'done') bus.ring(...(await database.transaction(outcome.output.write)));`,
      },
    ],
  },
  {
    id: 'Q8',
    bug: 'only a ring wakes a stage',
    patches: [
      {
        file: 'src/pipeline/loop.js',
        find: 'if (!isSweepDue) void sweep();',
        replace: '',
      },
    ],
  },
];
