import { uuidPattern } from '../../wire/scalar.js';

/** Selects a record by its id or its name; a name cannot look like an id. */
export function byIdOrName(idOrName: string): { readonly id: string } | { readonly name: string } {
  const id = idOrName.toLowerCase();
  return uuidPattern.test(id) ? { id } : { name: idOrName };
}
