import { expect, it } from 'vitest';
import { messageText } from '../../../../../src/cli/messages/listing/table.js';
import { messageRecord } from '../../message-record.js';

it('a message is shown with the whole ids of its data, except on a terminal', () => {
  const message = messageRecord();
  const id = message.data[0]?.id ?? '';
  expect(messageText(message, false)).toContain(`data       ${id}  "text"`);
  expect(messageText(message, true)).toContain(`data       ${id.slice(0, 8)}  "text"`);
});
