import type { Client } from '../../../src/client/client.js';
import { locationOf } from '../../../src/domain/contracts/location.js';
import type { ContractApi, ContractInterface } from '../../../src/wire/contracts/contract.js';
import { textOf } from '../../../src/wire/json/json.js';

/** The records that examples of contracts use. */
export interface ContractScene {
  /** A shared interface with one method. */
  readonly interface: ContractInterface;
  /** An API of that interface, local to alice. */
  readonly api: ContractApi;
  /** Returns a local interface of alice; a new one each time. */
  readonly spareInterface: () => { readonly interfaceid: string; readonly name: string; readonly version: string };
  /** Returns the name of a local API of alice; a new one each time. */
  readonly spareApi: () => string;
}

/** A contract without methods returns nothing from every call, as does an address without a contract. */
export const touchAbi = textOf([
  { type: 'function', name: 'touch', inputs: [{ name: 'count', type: 'uint256' }], outputs: [] },
]);
export const touchLocation = locationOf(`0x${'7'.repeat(40)}`);

/** Creates interfaces and APIs at a node, some of them to be deleted or published. */
export async function putContracts(client: Client): Promise<ContractScene> {
  const request = { name: 'touch', version: '1.0', input: { abi: touchAbi } };
  const { value: generated } = await client.generateContractInterface({ body: request });
  const query = { publish: true, confirm: true } as const;
  const { value: its } = await client.createContractInterface({ body: generated, query });
  const reference = { id: its.id ?? '' };
  const body = { name: 'touched', interface: reference, location: touchLocation };
  const { value: api } = await client.createContractApi({ body });
  const interfaces: ReturnType<ContractScene['spareInterface']>[] = [];
  const apis: string[] = [];
  for (let number = 0; number < 10; number++) {
    const spare = { ...generated, version: `0.${number}` };
    const { value } = await client.createContractInterface({ body: spare });
    interfaces.push({ interfaceid: value.id ?? '', name: value.name, version: value.version });
    const name = `spare-api-${number}`;
    apis.push((await client.createContractApi({ body: { name, interface: reference } })).value.name);
  }
  const nothing = { interfaceid: '', name: '', version: '' };
  return { interface: its, api, spareInterface: () => interfaces.pop() ?? nothing, spareApi: () => apis.pop() ?? '' };
}
