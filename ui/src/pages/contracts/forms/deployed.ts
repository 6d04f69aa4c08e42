import { readPage } from '../../../../../src/client/page.js';
import { valueOf } from '../../../../../src/wire/json/json.js';
import type { Operation } from '../../../../../src/wire/chain/transaction.js';
import { useRead } from '../../../api/read.js';

/** The address of a deployed contract; undefined while the deployment is pending. */
export function deployedAt({ output }: Pick<Operation, 'output'>): string | undefined {
  const value: unknown = output === undefined ? undefined : valueOf(output);
  const location: unknown = value instanceof Object ? Reflect.get(value, 'contractLocation') : undefined;
  const address: unknown = location instanceof Object ? Reflect.get(location, 'address') : undefined;
  return typeof address === 'string' ? address : undefined;
}

/** Reads the addresses of the newest contracts that this node deployed. */
export function useDeployed(): readonly string[] {
  const found = useRead('operations', ['deployed'], (client, signal) => {
    const where = [
      ['type', 'blockchain_deploy'],
      ['status', 'Succeeded'],
      ['limit', '50'],
    ] as const;
    return readPage(client, 'listOperations', where, signal);
  });
  return found.data?.entries.flatMap(({ value }) => deployedAt(value) ?? []) ?? [];
}
