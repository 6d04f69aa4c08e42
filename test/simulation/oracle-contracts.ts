import type { Judged } from './oracle-datatypes.js';

/** A published interface or contract API. */
export interface Published {
  readonly id: string;
  /** With the version if it is an interface. */
  readonly name: string;
}

export interface PublishedApi extends Published {
  readonly interface: string;
}

/** The published interfaces and contract APIs, derived only from the order of definitions (docs/protocol.md §9). */
export interface ContractOracle {
  /** Judges a definition of an interface or an API; undefined for any other message. */
  judge(message: Judged): boolean | undefined;
  interfaces(): readonly Published[];
  apis(): readonly PublishedApi[];
}

interface Definition {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly interface: { readonly id: string };
}

export function createContractOracle(): ContractOracle {
  const interfaces = new Map<string, Published>();
  const apis = new Map<string, PublishedApi & { readonly organization: string }>();

  function defineInterface({ id, name, version }: Definition): boolean {
    const full = `${name}@${version}`;
    if (interfaces.has(id) || [...interfaces.values()].some((each) => each.name === full)) return false;
    interfaces.set(id, { id, name: full });
    return true;
  }

  /** The publisher of an API may set another interface for it. */
  function defineApi({ id, name, interface: its }: Definition, organization: string): boolean {
    const first = [...apis.values()].find((each) => each.id === id || each.name === name);
    const isAgain = first?.id === id && first.name === name && first.organization === organization;
    if ((first !== undefined && !isAgain) || !interfaces.has(its.id)) return false;
    apis.set(id, { id, name, interface: its.id, organization });
    return true;
  }

  return {
    judge({ tag, organization, items: [item] }) {
      const definition = item?.value as Definition;
      if (tag === 'svc_define_ffi') return defineInterface(definition);
      return tag === 'svc_define_contract_api' ? defineApi(definition, organization) : undefined;
    },
    interfaces: () => [...interfaces.values()],
    apis: () => [...apis.values()],
  };
}
