import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { calledHost, hasOwnNetwork, inUrl, serviceHost } from '../ports/bind.js';
import { ContractsFile } from '../running/contracts-file.js';
import { requireName } from '../create.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import type { Stack } from '../places/locate.js';
import { readPorts } from '../ports/ports.js';

const Url = Type.String({ pattern: '^(?:https?|wss?)://[^\\s@]+$' });

/** Everything that a party on another machine must know about a network; none of it is secret. */
const InviteFile = Type.Object(
  {
    parley: Type.Literal('invite/v1'),
    /** The name that the party is invited under. */
    party: Type.String(),
    network: Type.String(),
    profile: Type.Optional(Type.Literal('firefly')),
    copy: Type.Optional(Type.String()),
    chain: Type.Object({
      url: Url,
      ws: Type.Optional(Url),
      chainId: Type.Integer(),
      confirmations: Type.Integer(),
    }),
    contracts: Type.Object({ network: Type.String(), tokens: Type.Record(Type.String(), Type.String()) }),
    store: Type.Object({ api: Url, gateway: Url }),
    namespaces: Type.Array(Type.String()),
    connectors: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Invite = Static<typeof InviteFile>;

/** Reads an invitation. @throws StackError STACK_FILE_INVALID */
export async function readInvite(path: string): Promise<Invite> {
  try {
    const read = await readJsonFile(path, InviteFile);
    if (read !== undefined) return read;
    throw new Error(`there is no file ${path}.`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StackError('STACK_FILE_INVALID', `This is not an invitation: ${reason}`, {
      hint: 'Ask a member for one: stack party invite NAME',
      cause,
    });
  }
}

/**
 * Writes the invitation of a party on another machine to this network.
 *
 * @throws StackError NAME_INVALID; NAME_EXISTS for a party of the stack; NOT_RUNNING before the first start;
 * BIND_REFUSED if other machines reach neither chain nor store
 */
export async function invite({ layout, settings }: Stack, party: string, file: string): Promise<Invite> {
  requireName(party, 'A party');
  if (settings.parties.some(({ name }) => name === party)) {
    throw new StackError('NAME_EXISTS', `${party} is a party of this stack.`, {
      hint: 'Invite it under another name.',
    });
  }
  const [contracts, ports] = await Promise.all([readJsonFile(layout.contracts, ContractsFile), readPorts(layout)]);
  if (contracts === undefined) {
    throw new StackError('NOT_RUNNING', 'The network has no contracts before its first start.', {
      hint: 'Start it: stack start',
    });
  }
  const { external } = settings.chain;
  const urlOf = (service: 'chain' | 'store') => `http://${reachedAt(settings, service)}:${ports?.[service] ?? 0}`;
  const chain =
    external === null
      ? { url: urlOf('chain'), ws: urlOf('chain').replace(/^http/, 'ws'), confirmations: 0 }
      : { url: external.url, ...(external.ws !== null && { ws: external.ws }), confirmations: external.confirmations };
  const store = settings.store.external;
  const tokens = (contracts.tokens ?? []).map(({ name, address }) => [name, address] as const);
  const written: Invite = {
    parley: 'invite/v1',
    party,
    network: settings.name,
    ...(settings.profile !== null && { profile: settings.profile }),
    ...(settings.copy !== '' && { copy: settings.copy }),
    chain: { ...chain, chainId: contracts.chainId },
    contracts: { network: contracts.network.address, tokens: Object.fromEntries(tokens) },
    store:
      store === null ? { api: urlOf('store'), gateway: urlOf('store') } : { api: store.api, gateway: store.gateway },
    namespaces: [...settings.namespaces],
    connectors: [...settings.tokens.connectors],
  };
  await writeJsonFile(file, written);
  return written;
}

/** The host by which other machines reach chain and store. @throws StackError BIND_REFUSED */
function reachedAt(settings: StackSettings, service: string): string {
  const { trustedNetwork, advertise, bind } = settings;
  const host = advertise ?? (hasOwnNetwork(settings) ? bind : calledHost(serviceHost(settings)));
  if (trustedNetwork && !/^(?:127\.|::1$|localhost$)/.test(host)) return inUrl(host);
  throw new StackError('BIND_REFUSED', `No other machine reaches the ${service} of this stack.`, {
    hint: 'Set bind, advertise, auth: {enabled: true} and trustedNetwork: true, then start again.',
  });
}
