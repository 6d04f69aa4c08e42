import type { Simulator } from './life.js';
import { definedNamespace } from './namespaces.js';
import type { ContractOracle } from './oracle-contracts.js';
import type { TokenOracle } from './oracle-tokens.js';

/** A data item as its batch describes it. */
export interface Item {
  readonly validator: string;
  readonly datatype?: { readonly name: string; readonly version: string };
  readonly value?: unknown;
}

/** A message whose turn it is. */
export interface Judged {
  readonly id: string;
  readonly hash: string;
  /** DID of the author. */
  readonly author: string;
  readonly namespace: string;
  readonly topics: readonly string[];
  readonly type: string;
  readonly tag: string | undefined;
  readonly organization: string;
  readonly items: readonly Item[];
  /** The operation that it belongs to, such as a transfer of tokens. */
  readonly parent: { readonly type: string } | undefined;
  /** The block of its pin. */
  readonly block: number;
}

/** The winning definition of a datatype. */
export interface Winner {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly hash: string;
  /** The kind that the schema requires; schemas of a simulation differ in nothing else. */
  readonly kind: string;
  readonly organization: string;
}

/** The existing datatypes, derived only from the order of definitions (docs/protocol.md §9.2, §8.6, §9). */
export interface DatatypeOracle {
  /** Judges the next message of the chain; a confirmed definition counts from then on. */
  judge(message: Judged): 'confirmed' | 'rejected';
  /** Returns the kind that a datatype requires, if defined so far. */
  kindOf(namespace: string, datatype: Named): string | undefined;
  winners(): readonly Winner[];
}

type Named = Pick<Winner, 'name' | 'version'>;

interface Definition extends Named {
  readonly id: string;
  readonly hash: string;
  readonly value: { readonly type: string; readonly properties?: { readonly kind: { readonly const: string } } };
}

export function createDatatypeOracle(
  sometimes: Simulator['sometimes'],
  others: Pick<ContractOracle, 'judge'> & Pick<TokenOracle, 'hasOperation'>,
): DatatypeOracle {
  const winners = new Map<string, Winner>();
  /** Definitions of two namespaces have no common order. */
  const ids = new Set<string>();

  function define(message: Judged): boolean {
    const {
      tag,
      organization,
      items: [item],
    } = message;
    const isPublished = others.judge(message);
    if (isPublished !== undefined) return isPublished;
    if (tag !== 'svc_define_datatype') return false;
    const { id, name, version, hash, value } = item?.value as Definition;
    const namespace = definedNamespace(message.topics);
    const place = placeOf(namespace, { name, version });
    const first = winners.get(place);
    if (first !== undefined && first.organization !== organization) sometimes('same datatype from two nodes');
    const kind = value.properties?.kind.const;
    if (value.type !== 'object' || kind === undefined || first !== undefined || ids.has(`${namespace}/${id}`))
      return false;
    ids.add(`${namespace}/${id}`);
    winners.set(place, { id, namespace, name, version, hash, kind, organization });
    return true;
  }

  function holds(namespace: string, { validator, datatype, value }: Item): boolean {
    if (datatype === undefined || validator === 'none') return true;
    const wanted = winners.get(placeOf(namespace, datatype))?.kind;
    return wanted !== undefined && (value as { readonly kind?: unknown } | null)?.kind === wanted;
  }

  return {
    judge(message) {
      if (message.type === 'definition') return define(message) ? 'confirmed' : 'rejected';
      if (!others.hasOperation(message)) return 'rejected';
      if (message.items.every((item) => holds(message.namespace, item))) return 'confirmed';
      sometimes('rejected for its datatype');
      return 'rejected';
    },
    kindOf: (namespace, datatype) => winners.get(placeOf(namespace, datatype))?.kind,
    winners: () => [...winners.values()],
  };
}

function placeOf(namespace: string, { name, version }: Named): string {
  return `${namespace}/${name}@${version}`;
}
