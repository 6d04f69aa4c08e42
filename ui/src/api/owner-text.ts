import type { Identity } from '../../../src/wire/identities/identity.js';

/** The name of an owner in a list of options, with its type unless it is an organisation. */
export function ownerText({ name, type }: Pick<Identity, 'name' | 'type'>): string {
  return type === 'org' ? name : `${name} (${type})`;
}
