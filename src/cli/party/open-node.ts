import { createClient } from '../../client/client.js';
import type { Transport } from '../../client/transport.js';
import type { PartySettings } from '../../stack/definition/definition.js';
import { clientAccess, type NodeAccess } from '../requests/credentials.js';
import type { Output } from '../terminal/output.js';
import { safe } from '../terminal/text.js';
import { createPartyTransport, type PartyContext, type PartyPlace } from './party-transport.js';

export interface NodePlace {
  readonly name: string;
  readonly url: string;
  readonly namespace: string;
  readonly access: NodeAccess;
  /** Undefined for a node that was given by URL. */
  readonly member?: (PartyPlace & { readonly settings: PartySettings | undefined }) | undefined;
}

/** Creates the client of a node. Connects to nothing. */
export function openNode({ name, url, namespace, access, member }: NodePlace, context: PartyContext) {
  const { transport: trusted, ...options } = clientAccess(access);
  const { output } = context;
  const known = access.held?.over(trusted) ?? trusted;
  const asking = member === undefined ? known : createPartyTransport(member, context, known);
  const transport = output.isVerbose ? talking(asking, output) : asking;
  return {
    name,
    url,
    organization: member?.settings?.organization,
    node: member?.settings?.node,
    ...access,
    client: createClient({ url, namespace, ...options, transport }),
  };
}

/** A transport that prints requests and responses to stderr, for `--verbose`. */
function talking(send: Transport, { err }: Output): Transport {
  const say = (text: string) => err.write(`${err.paint('dim', safe(text))}\n`);
  return async (request) => {
    const { method, url, body } = request;
    const asked = performance.now();
    await say(`→ ${method} ${url}`);
    if (typeof body === 'string') await say(`  ${body}`);
    const response = await send(request);
    await say(`← ${response.status} in ${Math.round(performance.now() - asked)} ms`);
    return response;
  };
}
