import { readPage } from '../../../../../src/client/page.js';
import { valueOf } from '../../../../../src/wire/json/json.js';
import type { Operation } from '../../../../../src/wire/chain/transaction.js';
import { useRead } from '../../../api/read.js';

/** The address at which a deployment has put its contract; undefined while there is none. */
export function deployedAt({ output }: Pick<Operation, 'output'>): string | undefined {
  const value: unknown = output === undefined ? undefined : valueOf(output);
  const location: unknown = value instanceof Object ? Reflect.get(value, 'contractLocation') : undefined;
  const address: unknown = location instanceof Object ? Reflect.get(location, 'address') : undefined;
  return typeof address === 'string' ? address : undefined;
}

/** The addresses of the contracts that this node deployed last. */
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
