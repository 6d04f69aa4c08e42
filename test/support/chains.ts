import { loadChains } from '../../src/devchain/engine/chain.js';

/** Creates chains for all tests of this process, which can load their modules only once. */
export const makeChain = await loadChains();
