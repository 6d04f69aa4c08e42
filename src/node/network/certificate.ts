import { createPrivateKey, X509Certificate } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Certificate } from '../../http/server.js';
import type { Log } from '../../ports/log.js';

/** The certificate of a node's API, whose files may be replaced while it runs. */
export interface RenewedCertificate {
  readonly first: Certificate;
  /** Calls the listener with each later certificate, until the returned function is called. */
  follow(renewed: (certificate: Certificate) => void): () => void;
}

export interface CertificatePaths {
  readonly certificateFile: string;
  readonly keyFile: string;
}

const intervalMs = 1_000;

/**
 * Opens the certificate of the API.
 *
 * @throws Error if a file cannot be read or is not PEM, or the key belongs to another certificate
 */
export async function openCertificate(paths: CertificatePaths, log: Log): Promise<RenewedCertificate> {
  const { certificateFile, keyFile } = paths;
  return {
    first: await readPair(paths),
    follow(renewed) {
      const look = (): void => {
        readPair(paths).then(
          (pair) => {
            renewed(pair);
            log.info('The certificate of the API was renewed', { certificateFile });
          },
          // The files are replaced one after the other, so the next check finds both.
          (error: unknown) =>
            log.warn('The certificate of the API could not be renewed; the previous one stays', {
              error: String(error),
            }),
        );
      };
      for (const file of [certificateFile, keyFile]) {
        watchFile(file, { interval: intervalMs, persistent: false }, look);
      }
      return () => {
        for (const file of [certificateFile, keyFile]) unwatchFile(file, look);
      };
    },
  };
}

async function readPair({ certificateFile, keyFile }: CertificatePaths): Promise<Certificate> {
  const [certificate, key] = await Promise.all([readFile(certificateFile, 'utf8'), readFile(keyFile, 'utf8')]);
  if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) {
    throw new Error(`${keyFile} is not the key of the certificate ${certificateFile}.`);
  }
  return { certificate, key };
}
