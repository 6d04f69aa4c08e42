import { type Artifact, compile } from '../../contracts/build.js';

/** A contract that accepts a call with much gas or just enough, as estimated, but none in between, as mined. */
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

/** Compiles once for all callers. */
export function fickle(): Artifact {
  compiled ??= compile({ 'Fickle.sol': source }).get('Fickle');
  if (compiled === undefined) throw new Error('The source declares no Fickle.');
  return compiled;
}
