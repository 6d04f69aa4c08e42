import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { InvalidFileError, readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { exists } from '../../supervisor/machine/directory.js';
import { deriveAccounts } from '../keys/accounts.js';
import { publicKeyHashOf } from '../keys/certificate.js';
import { createStack } from '../create.js';
import { StackError } from '../error.js';
import { Guest } from './guest.js';
import { type Invite, readInvite } from './invite.js';
import { certificateFiles } from '../keys/keys.js';
import type { Place } from '../layout.js';
import { listStacks } from '../places/list.js';
import { loadStack } from '../places/locate.js';
import { peerEndpoint } from '../running/node-config.js';
import { assignPorts } from '../ports/ports.js';
import type { Setting } from '../definition/render.js';

export interface NetworkJoin {
  readonly invite: string;
  /** The name of the stack; default: that of the party. */
  readonly name?: string | undefined;
  readonly organization?: string | undefined;
  /** The name or address by which other machines reach this one. */
  readonly advertise: string;
  /** Default: `advertise`, which is then an address of this machine. */
  readonly bind?: string | undefined;
  /** The file for the request. */
  readonly output: string;
  readonly workingDirectory: string;
}

export interface NetworkJoinResult {
  readonly stack: string;
  readonly party: string;
  readonly request: Guest;
}

/**
 * Creates a stack of one party that belongs to the network of an invitation. Its keys and certificate are created here;
 * a member registers it with the file that is written. A join can be repeated; a file that has the same request stays.
 *
 * @throws StackError STACK_FILE_INVALID for a file that is no invitation, NAME_EXISTS for another stack of the name or
 * another existing file, NAME_INVALID, PORT_IN_USE
 */
export async function joinNetwork(place: Place, request: NetworkJoin): Promise<NetworkJoinResult> {
  const invite = await readInvite(request.invite);
  const { party } = invite;
  const asked = request.name ?? party;
  const isRepeated = await hasJoined(place, asked, invite, request);
  if (!isRepeated) await requireNewFile(request.output);
  const { name } = await createStack(place, {
    name: asked,
    template: 'minimal',
    settings: settingsFor(invite, request),
    ifMissing: isRepeated,
    workingDirectory: request.workingDirectory,
  });
  const stack = await loadStack(place, name);
  const { layout, settings } = stack;
  const ports = await assignPorts({ place, layout, name, settings, reassign: false });
  const [own] = settings.parties;
  const accounts = await deriveAccounts(layout, settings);
  const address = accounts.parties[party]?.signing;
  if (own === undefined || address === undefined) throw new Error('The new stack has no party.');
  const certificate = await readFile(certificateFiles(layout, party).certificateFile, 'utf8');
  const { organization, node } = own;
  const endpoint = peerEndpoint(settings, party, ports);
  const written: Guest = { organization, node, address, endpoint, publicKeyHash: publicKeyHashOf(certificate) };
  if (!(await hasRequest(request.output, written))) {
    await requireNewFile(request.output);
    await writeJsonFile(request.output, written);
  }
  return { stack: name, party, request: written };
}

/** Whether a file has this request, from the same join. */
async function hasRequest(path: string, request: Guest): Promise<boolean> {
  const found = await readJsonFile(path, Guest).catch((error: unknown) => {
    if (error instanceof InvalidFileError) return undefined;
    throw error;
  });
  return isDeepStrictEqual(found, request);
}

async function requireNewFile(path: string): Promise<void> {
  if (!(await exists(path))) return;
  throw new StackError('NAME_EXISTS', `${path} already exists.`, {
    hint: 'Name another file: -o FILE',
    details: { path },
  });
}

/** Whether a stack of this name was made by the same join. */
async function hasJoined(
  place: Place,
  name: string,
  { party, contracts }: Invite,
  { advertise, bind = advertise, organization = party }: NetworkJoin,
): Promise<boolean> {
  const stacks = await listStacks(place);
  if (!stacks.some((stack) => stack.name === name)) return false;
  const { settings } = await loadStack(place, name);
  const [own, ...others] = settings.parties;
  const isSameParty = others.length === 0 && own?.name === party && own.organization === organization;
  const isSameNetwork = settings.chain.external?.contracts?.network === contracts.network.toLowerCase();
  return isSameParty && isSameNetwork && settings.advertise === advertise && settings.bind === bind;
}

function settingsFor(invite: Invite, { advertise, bind = advertise, organization }: NetworkJoin): Setting[] {
  const { party, chain, contracts, store, namespaces, connectors, profile, copy } = invite;
  if (/^(?:127\.|::1$|localhost$)/.test(advertise)) {
    throw new StackError('BIND_REFUSED', `--advertise is ${advertise}, which other machines cannot reach.`, {
      hint: 'Name the address by which the others reach this machine.',
    });
  }
  const final = chain.confirmations === 0;
  const values: Readonly<Record<string, unknown>> = {
    parties: [organization === undefined ? party : { name: party, org: organization }],
    bind,
    advertise,
    'auth.enabled': true,
    ...(profile !== undefined && { profile }),
    ...(copy !== undefined && { copy }),
    'chain.provider': 'url',
    'chain.url': chain.url,
    'chain.chainId': chain.chainId,
    ...(chain.ws !== undefined && { 'chain.ws': chain.ws }),
    ...(final ? { 'chain.final': true } : { 'chain.confirmations': chain.confirmations }),
    'chain.contracts': contracts,
    'store.provider': 'ipfs',
    'store.api': store.api,
    'store.gateway': store.gateway,
    namespaces,
    'tokens.connectors': connectors.map((name) => ({ name })),
  };
  return Object.entries(values).map(([path, value]) => ({ path: path.split('.'), value: JSON.stringify(value) }));
}
