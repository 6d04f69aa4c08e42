import type { Message } from '../../../src/wire/messages/message.js';
import { read } from '../../../src/wire/json/json-reader.js';
import { Message as MessageSchema } from '../../../src/wire/messages/message.js';
import { textOf } from '../../../src/wire/json/json.js';

const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const hash = '26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f';
const created = '2026-01-15T10:00:00.000Z';

/** Returns a confirmed broadcast of alice as a node serves it with its values. */
export function messageRecord({
  tag = 'order',
  topics = ['orders'],
  value = 'text',
}: {
  readonly tag?: string;
  readonly topics?: readonly string[];
  readonly value?: string;
} = {}): Message {
  const header = { id, type: 'broadcast', txtype: 'batch_pin', author: 'did:parley:org/alice', key: '0x0', created };
  const record = {
    header: { ...header, namespace: 'default', topics, topic: topics, tag, datahash: hash },
    localNamespace: 'default',
    hash,
    state: 'confirmed',
    confirmed: created,
    data: [{ id, hash, validator: 'json', namespace: 'default', created, value }],
  };
  return read(textOf(record), MessageSchema).value as Message;
}
