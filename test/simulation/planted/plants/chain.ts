import type { Plant } from '../plant.js';

const call = 'src/pipeline/dispatch/chain-call.js';
const chain = 'src/pipeline/receive/chain.js';
const attempt = 'src/pipeline/attempt.js';

/** Bugs between a node and the chain, and in the table of outside work. */
export const chainPlants: readonly Plant[] = [
  {
    id: 'P38',
    bug: 'after a lost reply a call is signed again with a new nonce',
    patches: [
      {
        file: call,
        find: 'const raw = operation.raw ?? (await signAndStore(',
        replace: 'const raw = (await signAndStore(',
      },
      { file: call, find: `[equal('id', operation.id), absent('raw')]`, replace: `[equal('id', operation.id)]` },
    ],
  },
  {
    id: 'P39',
    bug: 'the nonce of a call is used up although its signature was not stored',
    patches: [
      {
        file: call,
        find: 'const nonce = await nextNonce.peek(operation.signer);',
        replace: `const nonce = await nextNonce.peek(operation.signer);
          nextNonce.take(operation.signer, nonce);`,
      },
    ],
  },
  {
    id: 'P40',
    bug: 'the cursor is committed before its pins',
    patches: [
      {
        file: chain,
        find: 'if (await isBehind(unit, page.cursor)) return [];',
        replace: '',
      },
      {
        file: chain,
        find: 'const bells = await database.transaction(',
        replace: `if (await isBehind(database, page.cursor)) return;
          await database.transaction((unit) => storeCursor(unit, page.cursor));
          const bells = await database.transaction(`,
      },
    ],
  },
  {
    id: 'Q4',
    bug: 'a call is sent before its signed bytes are stored',
    patches: [
      {
        file: call,
        find: `const { raw, transactionHash } = await blockchain.sign(operation.signer, nonce, call);`,
        replace: `const { raw, transactionHash } = await blockchain.sign(operation.signer, nonce, call);
          await blockchain.submit(raw);`,
      },
    ],
  },
  {
    id: 'Q6',
    bug: 'operations of an earlier life are not taken up again',
    patches: [{ file: 'src/pipeline/operate.js', find: 'await takeUp(database, lane);', replace: '' }],
  },
  {
    id: 'Q7',
    bug: 'an operation is done before what follows from it is committed',
    patches: [
      {
        file: attempt,
        find: 'return outcome.output.write(unit);',
        replace: 'return [];',
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
        find: 'await Promise.race([listening.wait(signal), clock.sleep(sweepMs, signal)]);',
        replace: 'await listening.wait(signal);',
      },
    ],
  },
];
