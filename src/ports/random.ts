/** The only source of randomness in `domain`, `pipeline` and `node`. */
export interface Random {
  /** A random (version 4) UUID in lower case. */
  uuid(): string;

  /** `length` random bytes, suitable for keys. */
  bytes(length: number): Uint8Array;
}
