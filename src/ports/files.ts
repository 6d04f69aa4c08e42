/**
 * Files below one root directory, with durability in the open: what is *written* survives the death of the process,
 * only what is *synced* survives a power cut. Names are relative, use `/`, and never leave the root; a name that would
 * is an assertion failure, because names come from us (a hash, a UUID, a constant), never from a user or a peer.
 */
export interface Files {
  /**
   * The bytes of a file from `start` (default 0) up to, not including, `end` (default its size). Rejects with
   * `FileNotFound`.
   */
  read(name: string, range?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>;

  /** The size in bytes, or undefined if there is no such file. */
  size(name: string): Promise<number | undefined>;

  /**
   * Creates or replaces a file with these bytes, in the order given. Directories on the way are created. Not yet
   * durable.
   */
  write(name: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;

  /** Adds bytes at the end of a file, creating it if absent. Not yet durable. */
  append(name: string, bytes: Uint8Array): Promise<void>;

  /** Cuts a file to its first `sizeBytes` bytes. Not yet durable. Rejects with `FileNotFound`. */
  truncate(name: string, sizeBytes: number): Promise<void>;

  /** Resolves when the file's content and its directory entry survive a power cut. Rejects with `FileNotFound`. */
  sync(name: string): Promise<void>;

  /**
   * Moves a file over another name, atomically and durably. `from` must be synced (asserted). Rejects with
   * `FileNotFound`.
   */
  rename(from: string, to: string): Promise<void>;

  /** Removes a file; absent is fine. Not durable by itself: after a power cut the file may be back. */
  remove(name: string): Promise<void>;

  /** Names of the files directly in a directory (`''` = the root), sorted; an absent directory is empty. */
  list(directory: string): Promise<string[]>;

  /** How many bytes the disk can still take from us. */
  freeBytes(): Promise<number>;

  /** Releases what is held open. No other call may follow. */
  close(): Promise<void>;
}

/** There is no file of this name. */
export class FileNotFound extends Error {
  readonly reason = 'not_found';

  constructor(name: string, options?: ErrorOptions) {
    super(`There is no file "${name}".`, options);
    this.name = 'FileNotFound';
  }
}
