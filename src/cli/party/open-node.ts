import { createClient } from '../../client/client.js';
import type { Transport } from '../../client/transport.js';
import type { PartySettings } from '../../stack/definition/definition.js';
import { clientAccess, type NodeAccess } from '../requests/credentials.js';
import type { Output } from '../terminal/output.js';
import { safe } from '../terminal/text.js';
import { followAddress, type NodeAddress } from './same-node.js';
import { createPartyTransport, type PartyContext, type PartyPlace } from './party-transport.js';

export interface NodePlace {
  readonly name: string;
  readonly url: string;
  readonly namespace: string;
  readonly access: NodeAccess;
  /** Undefined for a node that was given by URL. */
  readonly member?: (PartyPlace & { readonly settings: PartySettings | undefined }) | undefined;
}

/** Creates the client of a node, without connecting. */
export function openNode({ name, url, namespace, access, member }: NodePlace, context: PartyContext) {
  const { transport: trusted, ...options } = clientAccess(access);
  const { output } = context;
  const address = member && followAddress(member, url);
  const direct = access.held?.over(trusted) ?? trusted;
  const present = address === undefined ? direct : createMovingTransport(address, direct);
  const checked = member === undefined ? present : createPartyTransport(member, context, present);
  const transport = output.isVerbose ? createTracingTransport(checked, output) : checked;
  return {
    name,
    url,
    organization: member?.settings?.organization,
    node: member?.settings?.node,
    ...access,
    address,
    client: createClient({ url, namespace, ...options, transport }),
  };
}

/** A transport that sends to the present address of a node. */
function createMovingTransport({ urlOf }: NodeAddress, send: Transport): Transport {
  return (request) => send({ ...request, url: urlOf(request.url) });
}

/** A transport that prints requests and responses to stderr, for `--verbose`. */
function createTracingTransport(send: Transport, { err }: Output): Transport {
  const trace = (text: string) => err.write(`${err.paint('dim', safe(text))}\n`);
  return async (request) => {
    const { method, url, body } = request;
    const sentMs = performance.now();
    await trace(`→ ${method} ${url}`);
    if (typeof body === 'string') await trace(`  ${body}`);
    const response = await send(request);
    await trace(`← ${response.status} in ${Math.round(performance.now() - sentMs)} ms`);
    return response;
  };
}
