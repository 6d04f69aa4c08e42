import { type Client, type ClientOptions, createClient } from '../client/client.js';
import { textOf, valueOf } from '../wire/json/json.js';
import type { Message } from '../wire/messages/message.js';

/** Members of a message beside its values. */
export interface SendOptions {
  readonly tag?: string;
  /** Contexts within which messages keep their order; default: `default`. */
  readonly topics?: readonly string[];
  /** The name and version of the datatype of every value, such as `order@1.0`. */
  readonly datatype?: string;
}

/** A party of a stack, as an application of it sees its node. */
export interface TestParty {
  readonly name: string;
  /** The address of its node. */
  readonly url: string;
  /** Headers that its node asks for; empty where it asks for none. */
  readonly headers: Readonly<Record<string, string>>;
  /** A method for each route of the node's API, with the types of its requests and answers. */
  readonly client: Client;
  /** Sends a value to all parties. Resolves when its node has accepted it. */
  broadcast(value: unknown, options?: SendOptions): Promise<Message>;
  /** Sends a value to these parties alone. Resolves when its node has accepted it. */
  send(value: unknown, options: SendOptions & { readonly to: string | readonly string[] }): Promise<Message>;
  /** A message as its node has it. @throws ClientError with status 404 where it has none */
  message(id: string): Promise<Message>;
  /** The values of a message, in its order. */
  values(id: string): Promise<unknown[]>;
}

interface PartyPlace extends ClientOptions {
  readonly name: string;
}

export function createParty({ name, ...options }: PartyPlace): TestParty {
  const { url, headers = {} } = options;
  const client = createClient(options);
  return {
    name,
    url,
    headers,
    client,
    broadcast: async (value, options = {}) => {
      const { value: message } = await client.broadcastMessage({ body: bodyOf(value, options) });
      return message;
    },
    send: async (value, { to, ...options }) => {
      const members = [to].flat().map((identity) => ({ identity }));
      const { value: message } = await client.sendMessage({ body: { ...bodyOf(value, options), group: { members } } });
      return message;
    },
    message: async (id) => (await client.getMessage({ path: { msgid: id } })).value,
    values: async (id) => {
      const { value: items } = await client.getMessageData({ path: { msgid: id } });
      return items.map((item) => (item.value === undefined ? null : valueOf(item.value)));
    },
  };
}

function bodyOf(value: unknown, { tag, topics, datatype }: SendOptions) {
  const [name = '', version = ''] = datatype?.split('@') ?? [];
  return {
    header: { ...(tag !== undefined && { tag }), ...(topics !== undefined && { topics: [...topics] }) },
    data: [{ value: textOf(value), ...(datatype !== undefined && { datatype: { name, version } }) }],
  };
}
