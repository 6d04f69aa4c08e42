import { describe, expect, it } from 'vitest';
import { chooseArtifact, constructorInput, readArtifacts } from '../../../src/cli/artifact.js';

const types = ['address', 'uint256', 'bool', 'string', 'bytes32[]'];
const abi = [{ type: 'constructor', inputs: types.map((type) => ({ name: type, type })) }];
const bytecode = '0x6080';

function read(value: unknown) {
  return readArtifacts(JSON.stringify(value), 'Escrow.json', 'Escrow');
}

describe('a compiled contract', () => {
  it.each([
    ['Hardhat', { contractName: 'Escrow', abi, bytecode }],
    ['Foundry', { abi, bytecode: { object: '6080' } }],
    ['solc, standard JSON', { contracts: { 'a.sol': { Escrow: { abi, evm: { bytecode: { object: '6080' } } } } } }],
    ['solc, combined JSON', { contracts: { 'a.sol:Escrow': { abi, bin: '6080' } } }],
  ])('is read as %s has written it', (_, value) => {
    expect(read(value)).toEqual([{ name: 'Escrow', abi, bytecode }]);
  });

  it('must be named where there are several, and those that are abstract do not count', () => {
    const each = { abi, evm: { bytecode: { object: '6080' } } };
    const abstract = { abi, evm: { bytecode: { object: '' } } };
    const artifacts = read({ contracts: { 'a.sol': { One: each, Two: each, Base: abstract } } });
    expect(() => chooseArtifact(artifacts, undefined)).toThrow('--contract is required: One, Two');
    expect(() => chooseArtifact(artifacts, 'Three')).toThrow('There is no contract Three');
    expect(chooseArtifact(artifacts, 'Two').name).toBe('Two');
  });

  it('is refused when it is none, or not complete', () => {
    expect(() => read({ abi })).toThrow('no compiled contract');
    expect(() => chooseArtifact(read({ abi, bytecode: '0x60__$lib$__' }), undefined)).toThrow('link its libraries');
  });

  it('takes arguments digit by digit, names for addresses, lists as JSON', () => {
    const artifact = { name: 'Escrow', abi, bytecode };
    const digits = '123456789012345678901234567890';
    const input = constructorInput(artifact, ['bob', digits, 'true', 'a "b"', '["0x01"]'], (name) => `0x${name}`);
    expect(input).toBe(`["0xbob","${digits}",true,"a \\"b\\"",["0x01"]]`);
    expect(() => constructorInput(artifact, ['bob'], (name) => name)).toThrow('is created with (address, uint256');
  });
});
