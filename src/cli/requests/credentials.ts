import { open, readFile } from 'node:fs/promises';
import type { AgentOf } from '../../bench/http.js';
import type { ClientOptions } from '../../client/client.js';
import type { OpenSocket } from '../../client/events/socket.js';
import type { CredentialFile, HeadersOf } from '../../client/headers.js';
import { createTransport } from '../../http/client/transport.js';
import { isCertificate } from '../../http/client/trust.js';
import { createPinnedRoute, createTrustedRoute, type SecureRoute } from '../../http/secure-route.js';
import { readCertificate } from '../../stack/keys/tls-files.js';
import type { Stack } from '../../stack/places/locate.js';
import { calledHost, nodeHost } from '../../stack/ports/bind.js';
import { readRunningPlan } from '../../stack/running/running-plan.js';
import { readToken, tokenFile } from '../../stack/keys/tokens.js';
import { CliError } from '../errors/exit.js';
import type { HeldCredential } from '../party/held-credential.js';
import type { NodeAddress } from '../party/same-node.js';
import { fileProblem } from '../errors/file-problem.js';
import { createOpenSocket } from './open-socket.js';

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
  throw new CliError('USAGE', `${path} must contain one line: user:password or a bearer token.`);
}

/** The credential and the TLS settings for requests to a node. */
export interface NodeAccess {
  /** Undefined if none is sent. */
  readonly credential?: Credential | undefined;
  /** Replaces the credential for a node that is not running yet. */
  readonly held?: HeldCredential | undefined;
  /** Undefined for the platform's own connections. */
  readonly route?: SecureRoute | undefined;
  /** The certificate file for other programs, such as curl. */
  readonly caFile?: string | undefined;
  /** Undefined for a node that was given by URL. */
  readonly address?: NodeAddress | undefined;
}

/**
 * The access to each party's node: its token, if it requires one, and its certificate.
 *
 * @throws StackError KEY_INVALID, CERTIFICATE_INVALID
 */
export async function stackAccess({ layout, settings }: Stack): Promise<ReadonlyMap<string, NodeAccess>> {
  const running = await readRunningPlan(layout);
  const host = calledHost(running.host ?? nodeHost(settings));
  const found = settings.parties.map(async ({ name, tls }) => {
    const token = await readToken(layout, name);
    const credential = token === undefined ? undefined : credentialOf(tokenFile(layout, name), 'Bearer', token);
    const caFile = running.certificates.get(name) ?? tls?.certificateFile;
    const route = caFile === undefined ? undefined : createPinnedRoute(await readCertificate(caFile), host);
    return [name, { credential, route, caFile }] as const;
  });
  return new Map(await Promise.all(found));
}

/** The access to a node whose certificate is issued by the authorities in a file. @throws CliError USAGE */
export async function readCaFile(path: string): Promise<Pick<NodeAccess, 'route' | 'caFile'>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CliError('USAGE', `The file of --ca, ${path}, cannot be read: ${fileProblem(cause)}.`, { cause });
  });
  if (!isCertificate(text)) {
    throw new CliError('USAGE', `The file of --ca, ${path}, contains no PEM certificate.`, {
      hint: 'A PEM certificate begins with -----BEGIN CERTIFICATE-----.',
    });
  }
  return { route: createTrustedRoute(text), caFile: path };
}

type ClientAccess = Pick<ClientOptions, 'headers'> & Required<Pick<ClientOptions, 'transport'>>;

/** The transport to nodes without TLS, or with certificates that Node.js trusts. */
const plain = createTransport();

/** The options of a client for a node. */
export function clientAccess({ credential, route }: NodeAccess = {}): ClientAccess {
  return { ...(credential && { headers: credential.headers }), transport: route?.transport ?? plain };
}

type KnownNode = NodeAccess & { readonly url: string };

/** The means to connect to nodes by their URLs. */
export interface Connections {
  /** Returns the credential headers for an address. */
  readonly headersOf: HeadersOf;
  /** Returns the agent for TLS connections to an address. */
  readonly agentOf: AgentOf;
  /** Opens sockets with these headers and agents, at the present address of a node. */
  readonly openSocket: OpenSocket;
}

export function connectionsTo(nodes: readonly KnownNode[]): Connections {
  const headersOf = headersByNode(nodes);
  const agentOf = agentsByNode(nodes);
  return { headersOf, agentOf, openSocket: createOpenSocket(headersOf, agentOf, presentUrls(nodes)) };
}

/** Returns agents by the origin of a URL, so that a certificate is trusted only for its own node. */
function agentsByNode(nodes: readonly KnownNode[]): AgentOf {
  const known = new Map(nodes.map(({ url, route }) => [originOf(url), route?.agent]));
  return (url) => (/^(?:https|wss):/.test(url) ? known.get(originOf(url)) : undefined);
}

/** Returns headers by the origin of a URL, so that a credential is sent only to its own node. */
export function headersByNode(nodes: readonly KnownNode[]): HeadersOf {
  const known = new Map(nodes.map((node) => [originOf(node.url), node]));
  return (url) => {
    const node = known.get(originOf(url));
    return node?.held?.headers() ?? node?.credential?.headers ?? {};
  };
}

/** Returns URLs at the present address of their node. */
function presentUrls(nodes: readonly KnownNode[]): (url: string) => string {
  const known = new Map(nodes.map(({ url, address }) => [originOf(url), address]));
  return (url) => known.get(originOf(url))?.urlOf(url) ?? url;
}

function originOf(url: string): string {
  return new URL(url.replace(/^ws/, 'http')).origin;
}

function credentialOf(path: string, scheme: Credential['scheme'], value: string): Credential {
  return { path, scheme, headers: { authorization: `${scheme} ${value}` } };
}

/** Reads a file or a pipe. */
async function readSecret(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const entry = await file.stat();
      if (entry.isFile() && (entry.mode & 0o077) !== 0) {
        throw new CliError('USAGE', `${path} can be read by others.`, {
          hint: `If no other user has read it: chmod 600 ${path}`,
        });
      }
      const text = await file.readFile('utf8');
      if (text.length <= maxFileBytes) return text;
      throw new CliError('USAGE', `${path} is too large for a credential.`);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError('USAGE', `The credential ${path} cannot be read: ${fileProblem(cause)}.`, { cause });
  }
}
