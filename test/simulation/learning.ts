import type { SharedStore } from '../../src/ports/shared-store.js';
import type { Tables } from '../../src/ports/tables/tables.js';
import { type Oracle, organizationOf } from './oracle.js';
import type { Write } from './ports.js';

/** Tells the oracle about private messages, from the commits of their senders. */
export function learn(oracle: Oracle, party: string, writes: readonly Write[]): void {
  for (const { table, kind, rows } of writes) {
    if (kind !== 'insert' && kind !== 'put') continue;
    for (const row of rows) {
      if (table === 'payloads' && 'text' in row) oracle.learnPayload(String(row.text));
      if (table === 'groups' && isGroup(row))
        oracle.learnGroup(
          row.hash,
          row.members.map(({ identity }) => identity),
        );
    }
    for (const row of rows) if (table === 'messages' && isUnpinnedOf(oracle, party, row)) learnUnpinned(oracle, row);
  }
}

function isGroup(row: object): row is Tables['groups'] {
  return 'members' in row && 'hash' in row;
}

function isUnpinnedOf(oracle: Oracle, party: string, row: object): row is Tables['messages'] {
  if (!('txtype' in row && row.txtype === 'none' && 'author' in row)) return false;
  return oracle.identities().memberOf(String(row.author)) === party;
}

function learnUnpinned(oracle: Oracle, row: Tables['messages']): void {
  const { id, hash, author, namespace, topics, group } = row;
  const organization = organizationOf(author);
  oracle.learnUnpinned({ key: `${id}/${hash}`, id, hash, organization, namespace, topics, group: group ?? undefined });
}

/** A store that reports everything that is put into it. */
export function learningStore(inner: SharedStore, learn: (text: string) => void): SharedStore {
  return {
    ...inner,
    put(bytes) {
      learn(new TextDecoder().decode(bytes));
      return inner.put(bytes);
    },
  };
}
