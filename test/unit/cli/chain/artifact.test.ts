import { describe, expect, it } from 'vitest';
import { chooseArtifact, constructorInput, readArtifacts } from '../../../../src/cli/chain/artifact.js';

const types = ['address', 'uint256', 'bool', 'string', 'bytes32[]'];
const abi = [{ type: 'constructor', inputs: types.map((type) => ({ name: '', type })) }];
const bytecode = '0x6080';

function read(value: unknown) {
  return readArtifacts(JSON.stringify(value), 'Escrow.json', 'Escrow');
}

describe('a compiled contract', () => {
  it.each([
    ['Hardhat', { contractName: 'Escrow', abi, bytecode }],
    ['Foundry', { abi, bytecode: { object: '6080' } }],
    ['solc, standard JSON', { contracts: { 'a.sol': { Escrow: { abi, evm: { bytecode: { object: '6080' } } } } } }],
    [
      'Hardhat, build-info',
      { output: { contracts: { 'a.sol': { Escrow: { abi, evm: { bytecode: { object: '6080' } } } } } } },
    ],
    ['solc before 0.8, combined JSON', { contracts: { 'a.sol:Escrow': { abi: JSON.stringify(abi), bin: '6080' } } }],
    ['solc, combined JSON', { contracts: { 'a.sol:Escrow': { abi, bin: '6080' } } }],
  ])('is read as %s has written it', (_, value) => {
    expect(read(value)).toMatchObject([{ name: 'Escrow', abi, bytecode }]);
  });

  it('must be named if there are several, not counting abstract ones', () => {
    const each = { abi, evm: { bytecode: { object: '6080' } } };
    const abstract = { abi, evm: { bytecode: { object: '' } } };
    const artifacts = read({ contracts: { 'a.sol': { One: each, Two: each, Base: abstract } } });
    expect(() => chooseArtifact(artifacts, undefined)).toThrow('--contract is required: one of One, Two.');
    expect(() => chooseArtifact(artifacts, 'Three')).toThrow('There is no contract Three');
    expect(chooseArtifact(artifacts, 'Two').name).toBe('Two');
  });

  it('is named with its file if two have the same name', () => {
    const each = { abi, evm: { bytecode: { object: '6080' } } };
    const artifacts = read({ contracts: { 'a.sol': { Escrow: each }, 'b.sol': { Escrow: each, Other: each } } });
    const needed = '--contract is required: one of a.sol:Escrow, b.sol:Escrow';
    expect(() => chooseArtifact(artifacts, undefined)).toThrow(`${needed}, b.sol:Other`);
    expect(() => chooseArtifact(artifacts, 'Escrow')).toThrow(needed);
    expect(chooseArtifact(artifacts, 'b.sol:Escrow')).toMatchObject({ name: 'Escrow', source: 'b.sol' });
    expect(chooseArtifact(artifacts, 'Other')).toMatchObject({ name: 'Other', source: 'b.sol' });
  });

  it('is refused if it is invalid or incomplete', () => {
    expect(() => read({ abi })).toThrow('no compiled contract');
    expect(() => chooseArtifact(read({ abi, bytecode: '0x60__$lib$__' }), undefined)).toThrow('link its libraries');
  });

  it('takes arguments with all digits, names for addresses, and lists as JSON', () => {
    const artifact = { name: 'Escrow', abi, bytecode };
    const digits = '123456789012345678901234567890';
    const input = constructorInput(artifact, ['bob', digits, 'true', 'a "b"', '["0x01"]'], (name) => `0x${name}`);
    expect(input).toBe(`["0xbob","${digits}",true,"a \\"b\\"",["0x01"]]`);
    expect(() => constructorInput(artifact, ['bob'], (name) => name)).toThrow('Escrow takes (address, uint256');
  });

  it('describes the parameters of its constructor, including tuples and names', () => {
    const point = { name: 'p', type: 'tuple[]', components: [{ name: 'x', type: 'int64' }, { type: 'bytes' }] };
    const artifact = {
      name: 'Odd',
      abi: [{ type: 'constructor', inputs: [{ name: 'v', type: 'bool' }, point] }],
      bytecode,
    };
    const expected = 'takes (bool v, (int64 x, bytes)[] p), not 0 arguments';
    expect(() => constructorInput(artifact, [], (name) => name)).toThrow(expected);
  });
});
