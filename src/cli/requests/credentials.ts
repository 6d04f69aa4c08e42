import { open } from 'node:fs/promises';
import type { CredentialFile, HeadersOf } from '../../client/headers.js';
import type { Stack } from '../../stack/places/locate.js';
import { readToken, tokenFile } from '../../stack/keys/tokens.js';
import { CliError } from '../errors/exit.js';
import { fileProblem } from '../errors/file-problem.js';

/** The credential sent to a node. */
export interface Credential extends CredentialFile {
  /** Contains the secret; used for requests only. */
  readonly headers: Readonly<Record<string, string>>;
}

const maxFileBytes = 8_192;
const bearerToken = /^[\w.~+/=-]+$/;

/**
 * Reads the credential in a file: `user:password`, or a bearer token (docs/operations.md §11.1).
 *
 * @throws CliError USAGE if it contains none, or others may have read it; the message does not contain the secret
 */
export async function readAuthFile(path: string): Promise<Credential> {
  const text = (await readSecret(path)).trim();
  if (text.includes(':') && !/[\r\n]/.test(text))
    return credentialOf(path, 'Basic', Buffer.from(text).toString('base64'));
  if (bearerToken.test(text)) return credentialOf(path, 'Bearer', text);
  throw new CliError('USAGE', `${path} must hold one line: user:password, or a bearer token.`);
}

/** The tokens of the parties, by party, if they have one. @throws StackError KEY_INVALID */
export async function stackCredentials({ layout, settings }: Stack): Promise<ReadonlyMap<string, Credential>> {
  const found = await Promise.all(
    settings.parties.map(async ({ name }) => [name, await readToken(layout, name)] as const),
  );
  return new Map(
    found.flatMap(([name, token]) =>
      token === undefined ? [] : [[name, credentialOf(tokenFile(layout, name), 'Bearer', token)] as const],
    ),
  );
}

/** Returns headers by the origin of an address: a credential is sent only to its own node. */
export function headersByNode(
  nodes: readonly { readonly url: string; readonly credential: Credential | undefined }[],
): HeadersOf {
  const known = new Map(nodes.map(({ url, credential }) => [originOf(url), credential?.headers]));
  return (url) => known.get(originOf(url)) ?? {};
}

function originOf(url: string): string {
  return new URL(url.replace(/^ws/, 'http')).origin;
}

function credentialOf(path: string, scheme: Credential['scheme'], value: string): Credential {
  return { path, scheme, headers: { authorization: `${scheme} ${value}` } };
}

/** Accepts pipes, too, so that a secret need not be in a file. */
async function readSecret(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const entry = await file.stat();
      if (entry.isFile() && (entry.mode & 0o077) !== 0) {
        throw new CliError('USAGE', `${path} can be read by others.`, {
          hint: `If nobody has read it: chmod 600 ${path}`,
        });
      }
      const text = await file.readFile('utf8');
      if (text.length <= maxFileBytes) return text;
      throw new CliError('USAGE', `${path} is larger than any credential.`);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError('USAGE', `The credential ${path} cannot be read: ${fileProblem(cause)}.`, { cause });
  }
}
