import { createClient } from '../../client/client.js';
import type { PartySettings } from '../../stack/definition/definition.js';
import { clientAccess, type NodeAccess } from '../requests/credentials.js';
import type { Output } from '../terminal/output.js';
import { safe } from '../terminal/text.js';
import { createPartyFetch, type PartyFetchContext, type PartyPlace } from './party-fetch.js';

export interface NodePlace {
  readonly name: string;
  readonly url: string;
  readonly namespace: string;
  readonly access: NodeAccess;
  /** Undefined for a node that was given by URL. */
  readonly member?: (PartyPlace & { readonly settings: PartySettings | undefined }) | undefined;
}

/** Creates the client of a node. Connects to nothing. */
export function openNode({ name, url, namespace, access, member }: NodePlace, context: PartyFetchContext) {
  const { fetch: trusted, ...options } = clientAccess(access);
  const { output } = context;
  const asking = member === undefined ? trusted : createPartyFetch(member, context, trusted);
  const send = output.isVerbose ? talkingFetch(output, asking) : asking;
  return {
    name,
    url,
    organization: member?.settings?.organization,
    node: member?.settings?.node,
    ...access,
    client: createClient({ url, namespace, ...options, ...(send && { fetch: send }) }),
  };
}

/** A `fetch` that prints requests and responses to stderr, for `--verbose`. */
function talkingFetch({ err }: Output, send = fetch): typeof fetch {
  const say = (text: string) => err.write(`${err.paint('dim', safe(text))}\n`);
  return async (input, init) => {
    const asked = performance.now();
    await say(`→ ${init?.method ?? 'GET'} ${input instanceof Request ? input.url : String(input)}`);
    if (typeof init?.body === 'string') await say(`  ${init.body}`);
    const response = await send(input, init);
    await say(`← ${response.status} in ${Math.round(performance.now() - asked)} ms`);
    return response;
  };
}
