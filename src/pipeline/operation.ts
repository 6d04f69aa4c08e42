import type { NewRow, OperationRow, OperationType } from '../ports/tables.js';

/** Uploads to the shared store. */
export const storeLane = 'store';
/** Downloads from the shared store. */
export const fetchLane = 'fetch';

/** The calls that a key signs, one after the other. */
export function keyLane(key: string): string {
  return `key:${key}`;
}

const plugins: Readonly<Record<OperationType, string>> = {
  sharedstorage_upload_batch: 'ipfs',
  sharedstorage_download_batch: 'ipfs',
  blockchain_pin_batch: 'ethereum',
};

/** What an operation is about. */
export type OperationSubject = Pick<OperationRow, 'namespace' | 'tx' | 'batch' | 'batchHash' | 'signer'>;

/** A row for work that has not begun. */
export function newOperation(parts: {
  readonly id: string;
  readonly type: OperationType;
  readonly lane: string;
  readonly created: string;
  readonly subject: OperationSubject;
  readonly input?: Readonly<Record<string, unknown>>;
}): NewRow<'operations'> {
  const { id, type, lane, created, subject, input = {} } = parts;
  return {
    ...subject,
    id,
    type,
    lane,
    plugin: plugins[type],
    status: 'Initialized',
    input: { batch: subject.batch, ...input },
    output: null,
    error: null,
    created,
    updated: created,
    retry: null,
    blob: null,
    nonce: null,
    raw: null,
  };
}
