import { createHash } from 'node:crypto';
import { type Authentication, createAuthentication } from './auth.js';
import { readPrivateFile } from '../private-file.js';

/** 256 bits in base64url, as a stack generates them; other texts of that length are accepted. */
const tokenPattern = /^[\w-]{43,256}$/;

/**
 * Reads the token from a file; undefined without a file. @throws Error as `readPrivateFile`, or if it contains no token
 */
export async function readToken(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const token = (await readPrivateFile(path)).trim();
  if (!tokenPattern.test(token)) throw new Error(`${path}: expected a token of 43 to 256 characters of A-Za-z0-9_-`);
  return token;
}

/** The name of a user and a password, or a token of any form (RFC 6750). */
const credentialsPattern = /^(?:[^:\s]{1,256}:\S{1,4096}|[\w.~+/-]{1,4096}=*)$/;

/**
 * Reads the credentials for a service from a file with a token, or with `user:password`; returns the `authorization`
 * header, or undefined without a file. @throws Error as `readPrivateFile`, or if it contains neither
 */
export async function readAuthorization(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = (await readPrivateFile(path)).trim();
  if (!credentialsPattern.test(text)) throw new Error(`${path}: expected a token, or user:password, on one line`);
  return text.includes(':') ? `Basic ${Buffer.from(text).toString('base64')}` : `Bearer ${text}`;
}

/**
 * Creates authentication by the one token in a file: as a bearer token, or as the password of Basic with the service's
 * name as the user. Returns undefined without a file: then there is no authentication.
 *
 * @throws Error as `readToken`
 */
export async function authenticationByToken(
  service: string,
  path: string | undefined,
): Promise<Authentication | undefined> {
  const token = await readToken(path);
  if (token === undefined) return undefined;
  const sha256 = createHash('sha256').update(token).digest();
  return createAuthentication([{ name: service, secret: { kind: 'token', sha256 } }]);
}
