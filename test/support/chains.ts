import { loadChains } from '../../src/devchain/chain.js';

/** Makes chains for all tests of this process: it may load what they need only once. */
export const makeChain = await loadChains();
