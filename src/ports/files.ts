/**
 * Files below one root directory, with explicit durability: *written* data survives the death of the process, only
 * *synced* data survives a power cut. Names are relative, use `/`, and never leave the root; a violation is an
 * assertion failure, because names are chosen by the program (a hash, a UUID, a constant), never by a user or a peer.
 */
export interface Files {
  /**
   * Reads the bytes of a file from `start` (default 0) up to, not including, `end` (default its size). Rejects with
   * `FileNotFound`.
   */
  read(name: string, range?: { readonly start?: number; readonly end?: number }): AsyncIterable<Uint8Array>;

  /** The size in bytes, or undefined if there is no such file. */
  size(name: string): Promise<number | undefined>;

  /** Creates or replaces a file with these bytes. Missing directories are created. Not yet durable. */
  write(name: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;

  /** Appends bytes to a file, creating it if absent. Not yet durable. */
  append(name: string, bytes: Uint8Array): Promise<void>;

  /** Truncates a file to `sizeBytes` bytes. Not yet durable. Rejects with `FileNotFound`. */
  truncate(name: string, sizeBytes: number): Promise<void>;

  /** Resolves once the file's content and its directory entry survive a power cut. Rejects with `FileNotFound`. */
  sync(name: string): Promise<void>;

  /**
   * Resolves once the file's content, but perhaps not its name, survives a power cut: enough for a file that is then
   * renamed. Rejects with `FileNotFound`.
   */
  syncContent(name: string): Promise<void>;

  /**
   * Renames a file, atomically and durably, replacing any file of the new name. The content of `from` must be synced
   * (asserted). Rejects with `FileNotFound`.
   */
  rename(from: string, to: string): Promise<void>;

  /** Removes a file, if it exists. Not durable: after a power cut the file may be back. */
  remove(name: string): Promise<void>;

  /** Names of the files directly in a directory (`''` = the root), sorted; empty for an absent directory. */
  list(directory: string): Promise<string[]>;

  /** The number of bytes that can still be written to the disk. */
  freeBytes(): Promise<number>;

  /** Releases open files. No other call may follow. */
  close(): Promise<void>;
}

/** No file of this name exists. */
export class FileNotFound extends Error {
  readonly reason = 'not_found';

  constructor(name: string, options?: ErrorOptions) {
    super(`There is no file "${name}".`, options);
    this.name = 'FileNotFound';
  }
}
