import { type Artifact, compile } from '../../contracts/build.js';

/** A contract that takes a call that has much gas or just enough, as it is tried, and none between, as it is mined. */
const source = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

contract Fickle {
    error Hungry(uint256 least);
    uint256 private count;
    function touch() external {
        if (gasleft() > 30_000 && gasleft() < 1_000_000) revert Hungry(1_000_000);
        count++;
    }
}
`;

let compiled: Artifact | undefined;

/** Compiled once for all that ask. */
export function fickle(): Artifact {
  compiled ??= compile({ 'Fickle.sol': source }).get('Fickle');
  if (compiled === undefined) throw new Error('The source declares no Fickle.');
  return compiled;
}
