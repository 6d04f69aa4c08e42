import type { TableName } from '../../../ports/tables/tables.js';
import type { Statement } from '../statements/statement.js';
import type { Write } from './write.js';

/** Packs the writes of a transaction into few statements. */
export interface Pack {
  /**
   * Returns the statements that do these writes and complete the transaction; the writes of a table keep their order.
   *
   * @param used the highest sequence ever used, by table
   */
  statements(writes: readonly Write[], used: ReadonlyMap<TableName, number>): readonly Statement[];

  /** Begins a transaction. */
  begin(): void;

  /** Records that the transaction is on disk. */
  end(): void;

  /** Discards everything prepared in the transaction, which was rolled back. */
  undo(): void;

  /**
   * Whether the transaction whose last statements were sent is on disk, after the connection was lost before the
   * answer. Waits until the database can tell.
   */
  isCommitted(): Promise<boolean>;
}
