import { Type } from '@sinclair/typebox';
import type { Credential } from '../../http/access/auth.js';
import { readPrivateFile } from '../../http/private-file.js';
import { nearestHint } from '../../wire/lists/query.js';
import { grants, keyGrantPrefix } from '../../wire/route.js';
import { parseFile } from '../config.js';

const ScryptHash = Type.Object({ salt: Type.String(), hash: Type.String(), cost: Type.Integer() });
const Entry = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  /** The SHA-256 of a token. */
  sha256: Type.Optional(Type.String()),
  /** The hash of a password. */
  scrypt: Type.Optional(ScryptHash),
  /** Default: all. */
  namespaces: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
  /** Rights beyond its namespaces. Default: none. */
  grants: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});
type Entry = (typeof Entry)['static'];

/** The credentials for a node. Secrets are stored as hashes, so reading the file reveals none. */
const CredentialsFile = Type.Object({
  version: Type.Literal(1),
  credentials: Type.Array(Entry, { minItems: 1, maxItems: 1_000 }),
});

const known = [CredentialsFile, Entry, ScryptHash].flatMap(({ properties }) => Object.keys(properties));
/** A lower cost is too weak for passwords; a higher one takes too much memory. */
const [minCost, maxCost] = [16_384, 131_072];
const [minSaltBytes, maxBytes] = [16, 128];
const hashBytes = 32;

/**
 * Reads the file named by `auth.file`.
 *
 * @throws Error that names file and entry: readable by others, an unknown key, a duplicate name, no hash or two
 */
export async function readCredentials(path: string): Promise<Credential[]> {
  const { value, unknown } = parseFile(path, await readPrivateFile(path), CredentialsFile);
  const stranger = unknown[0]?.split('.').at(-1);
  if (stranger !== undefined) throw new Error(`${path}: unknown key "${stranger}"${nearestHint(stranger, known)}`);
  const names = new Set<string>();
  return value.credentials.map((entry) => {
    if (names.has(entry.name)) throw new Error(`${path}: two credentials have the name ${entry.name}`);
    names.add(entry.name);
    const { name, namespaces } = entry;
    return { name, secret: secretOf(path, entry), namespaces, grants: grantsOf(path, entry) };
  });
}

function grantsOf(path: string, { name, namespaces, grants: given }: Entry): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const where = `${path}: the credential ${name}`;
  if (namespaces === undefined)
    throw new Error(`${where} has grants and no namespaces. Without namespaces it may do everything; name them.`);
  for (const grant of given) {
    if (grants.some((known) => known === grant) || keyGrantPattern.test(grant)) continue;
    const list = [...grants, `${keyGrantPrefix}0x…`].join(', ');
    throw new Error(`${where} has the unknown grant "${grant}"${nearestHint(grant, [...grants])} Known: ${list}.`);
  }
  return given.map((grant) => (keyGrantPattern.test(grant) ? grant.toLowerCase() : grant));
}

const keyGrantPattern = new RegExp(`^${keyGrantPrefix}0x[0-9a-fA-F]{40}$`);

function secretOf(path: string, { name, sha256, scrypt }: Entry): Credential['secret'] {
  const where = `${path}: the credential ${name}`;
  if (name.includes(':')) throw new Error(`${where} must have no colon in its name, which ends the name in Basic`);
  if ((sha256 === undefined) === (scrypt === undefined)) throw new Error(`${where} needs either sha256 or scrypt`);
  if (scrypt === undefined) return { kind: 'token', sha256: bytesOf(sha256 ?? '', hashBytes, hashBytes, where) };
  const { cost } = scrypt;
  const isPowerOfTwo = Number.isInteger(Math.log2(cost));
  if (cost < minCost || cost > maxCost || !isPowerOfTwo)
    throw new Error(`${where} must have a cost from ${minCost} to ${maxCost} that is a power of two`);
  const salt = bytesOf(scrypt.salt, minSaltBytes, maxBytes, where);
  return { kind: 'password', salt, cost, hash: bytesOf(scrypt.hash, hashBytes, maxBytes, where) };
}

function bytesOf(hex: string, min: number, max: number, where: string): Buffer {
  const size = hex.length / 2;
  if (/^(?:[0-9a-f]{2})*$/.test(hex) && size >= min && size <= max) return Buffer.from(hex, 'hex');
  const bytes = min === max ? String(min) : `${min} to ${max}`;
  throw new Error(`${where}: hashes and salts must be ${bytes} bytes in lower-case hexadecimal digits`);
}
