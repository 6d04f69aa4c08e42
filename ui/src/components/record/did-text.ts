/** A DID in short: the name of an identity, and its kind. */
export interface DidText {
  readonly name: string;
  /** Undefined for a DID that is not of this network. */
  readonly kind: 'org' | 'node' | 'custom' | undefined;
}

const didPattern = /^did:(?:parley|firefly):(?:(org|node)\/)?(.+)$/;

/** Splits a DID into name and kind. Organisations, nodes and custom identities may have the same name. */
export function didText(did: string): DidText {
  const [, kind, name] = didPattern.exec(did) ?? [];
  if (name === undefined) return { name: did, kind: undefined };
  return { name, kind: kind === 'org' || kind === 'node' ? kind : 'custom' };
}
