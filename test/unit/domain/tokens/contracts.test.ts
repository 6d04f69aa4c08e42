import { type Fragment, Interface } from 'ethers';
import { describe, expect, test } from 'vitest';
import { readArtifact } from '../../../../contracts/build.js';
import {
  erc20PoolAbi,
  erc721PoolAbi,
  tokenFactoryAbi,
  tokenPoolsAbi,
} from '../../../../src/domain/tokens/contracts.js';

const cases = [
  ['TokenPools', tokenPoolsAbi],
  ['TokenFactory', tokenFactoryAbi],
  ['Erc20Pool', erc20PoolAbi],
  ['Erc721Pool', erc721PoolAbi],
] as const;

async function compiled(name: string): Promise<Interface> {
  const { abi } = JSON.parse(await readArtifact(`${name}.json`)) as { abi: object[] };
  return new Interface(abi);
}

function texts(contract: Interface, isOf: (fragment: Fragment) => boolean): string[] {
  return contract.fragments.filter(isOf).map((fragment) => fragment.format('full').replace(' nonpayable', ''));
}

describe.each(cases)('The interface of %s', (name, lines) => {
  test('has every function, event and error of the compiled contract', async () => {
    const known = new Set(texts(await compiled(name), () => true));
    expect(texts(new Interface(lines), () => true).filter((line) => !known.has(line))).toEqual([]);
  });

  test('names every error of the contract, so that each is shown with a name', async () => {
    const isError = ({ type }: Fragment): boolean => type === 'error';
    expect(texts(new Interface(lines), isError).sort()).toEqual(texts(await compiled(name), isError).sort());
  });

  test('names every event that the contract itself emits', async () => {
    const isEvent = (fragment: Fragment): boolean => fragment.type === 'event' && !fragment.format().startsWith('URI(');
    expect(texts(new Interface(lines), isEvent).sort()).toEqual(texts(await compiled(name), isEvent).sort());
  });
});
