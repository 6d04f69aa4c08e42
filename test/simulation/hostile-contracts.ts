import { textOf } from '../../src/wire/json/json.js';
import type { HostileMeans, Tricks } from './hostile.js';

/** The hostile member's tricks with contract interfaces and APIs; the oracle judges them by their positions. */
export function createHostileContracts({ simulator, oracle, forge, publishAndPin }: HostileMeans): Tricks {
  const { random } = simulator.scheduler;
  const versions = ['1', '2', '3'] as const;
  const names = ['escrow', 'auction', 'lease'] as const;

  const pick = <T>(choices: readonly T[]): T | undefined => choices[random.integer(choices.length)];

  function define(tag: string, record: object): void {
    const header = { namespace: 'svc_system', topics: ['svc_ns_default'], tag };
    publishAndPin(forge({ ...header, type: 'definition', value: textOf({ namespace: 'default', ...record }) }));
  }

  function defineInterface(id: string): void {
    const parts = { methods: [], events: [], errors: [] };
    const [name, version] = [pick(names), pick(versions)];
    define('svc_define_ffi', { id, name, description: '', version, ...parts });
  }

  function defineApi(id: string, its: string): void {
    define('svc_define_contract_api', { id, name: pick(names), interface: { id: its } });
  }

  const someInterface = () => pick(oracle.contracts().interfaces())?.id ?? random.uuid();
  const someApi = () => pick(oracle.contracts().apis())?.id ?? random.uuid();

  return {
    definesInterface: () => defineInterface(random.uuid()),
    definesTheIdOfAnInterface: () => defineInterface(someInterface()),
    definesApi: () => defineApi(random.uuid(), someInterface()),
    definesTheIdOfAnApi: () => defineApi(someApi(), someInterface()),
    definesApiOfNothing: () => defineApi(random.uuid(), random.uuid()),
  };
}
