import type { Reader } from '../../ports/database.js';

/** A wait for a message or a batch, by id. */
interface Waiting {
  readonly message?: string;
  readonly batch?: string;
}

/** Tells which ids exist in a namespace of this node. */
export interface KnownIds {
  among(table: 'messages' | 'batches', ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes unknown ids from waits. */
  keep<W extends Waiting>(waits: readonly W[]): Promise<(Omit<W, 'message' | 'batch'> & Waiting)[]>;
}

const maxIds = 10_000;

export function createKnownIds(database: Reader, namespace: string): KnownIds {
  const find: KnownIds['among'] = async (table, ids) => {
    if (ids.length === 0) return new Set();
    const rows = await database.rows(table, { namespace, id: [...new Set(ids)] }, { limit: maxIds });
    return new Set(rows.map(({ id }) => id));
  };
  return {
    among: find,
    async keep(waits) {
      const named = (of: (wait: Waiting) => string | undefined) => waits.flatMap((wait) => of(wait) ?? []);
      const messages = await find(
        'messages',
        named(({ message }) => message),
      );
      const batches = await find(
        'batches',
        named(({ batch }) => batch),
      );
      return waits.map(({ message, batch, ...rest }) => ({
        ...rest,
        ...(message !== undefined && messages.has(message) && { message }),
        ...(batch !== undefined && batches.has(batch) && { batch }),
      }));
    },
  };
}
