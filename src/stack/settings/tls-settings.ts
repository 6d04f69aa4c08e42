import { resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { SecretFile } from './chain-settings.js';

/** The certificate of the API of all nodes, or of one party's node. */
export const TlsDefinition = Type.Object(
  {
    cert: Type.String({
      pattern: '^file:.+$',
      maxLength: 4_096,
      description: 'file: and the path of a PEM file with the certificate',
    }),
    key: SecretFile,
  },
  { additionalProperties: false, description: 'a mapping with cert and key' },
);

/** The files of a node's certificate, as absolute paths. */
export interface TlsSettings {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The files that a definition names. */
export function tlsOf({ cert, key }: Static<typeof TlsDefinition>): TlsSettings {
  return { certificateFile: cert.slice('file:'.length), keyFile: key.slice('file:'.length) };
}

/** A party with the files of its certificate resolved against the directory of `stack.yaml`. */
export function tlsFrom<P extends { readonly tls?: TlsSettings }>(directory: string, party: P): P {
  const { tls } = party;
  if (tls === undefined) return party;
  const from = (path: string) => resolve(directory, path);
  return { ...party, tls: { certificateFile: from(tls.certificateFile), keyFile: from(tls.keyFile) } };
}
